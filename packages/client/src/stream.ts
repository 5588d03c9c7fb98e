import {
  isPublicTopic,
  SESSION_OVER,
  type ClientMessage,
  type StreamMessage,
  type TickEntry,
  type Topic,
} from "@fairtick/protocol";
import { TIMEOUT_MS } from "./exchange.ts";
import { isRecord } from "./result.ts";
import type { ServerClock } from "./server-clock.ts";

const PING_EVERY_MS = 15_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MOST_MS = 15_000;
/** Over how long those spread who were connected when a server ended. */
const RETURN_SPREAD_MS = 3_000;
/** A connection that held this long was a good one: the next pause is short again. */
const STABLE_MS = 10_000;

/** What the stream missed, so that the calls must be asked. */
export type Gap =
  | { readonly reason: "reconnected" }
  /** Ticks after `after` and before `before` of one instrument did not come. */
  | { readonly reason: "ticks"; readonly symbol: string; readonly after: number; readonly before: number };

export interface StreamOptions {
  /** `wss://…/client/stream`. */
  readonly url: string;
  /** Asked at each connection; null for a visitor. */
  readonly token: () => string | null;
  /** Value of the `Lang` header: the language of pushed words. */
  readonly lang?: () => string;
  /** Each message but answers to pings; ticks that came before are left out. */
  readonly onMessage: (message: StreamMessage) => void;
  readonly onGap: (gap: Gap) => void;
  readonly onConnected: (isConnected: boolean) => void;
  /** The session of this token is over. The stream goes on with what needs no login. */
  readonly onSessionEnd: (token: string | null) => void;
  readonly clock?: ServerClock;
  readonly WebSocket?: typeof WebSocket;
  /** Between 0 and 1; for tests. */
  readonly random?: () => number;
  readonly timeoutMs?: number;
}

export interface Stream {
  subscribe(topics: readonly Topic[]): void;
  unsubscribe(topics: readonly Topic[]): void;
  /** After a login or logout: connects anew with the token there is now. */
  tokenChanged(): void;
  /** Connects at once instead of waiting for the pause: the network is back, the page is in view again. */
  retryNow(): void;
  close(): void;
}

/** Keeps one socket to the server's stream, for as long as it is not closed. */
export function createStream(options: StreamOptions): Stream {
  const Socket = options.WebSocket ?? WebSocket;
  const random = options.random ?? Math.random;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const topics = new Set<Topic>();
  const lastSeq = new Map<string, number>();
  let socket: WebSocket | null = null;
  let isClosed = false;
  let wasConnected = false;
  let failures = 0;
  let refusedToken: string | null = null;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let stopWatching = () => {};

  const spoken = () => (options.lang === undefined ? {} : { lang: options.lang() });
  const say = (message: ClientMessage) => {
    if (socket?.readyState === Socket.OPEN) socket.send(JSON.stringify(message));
  };

  const connect = () => {
    clearTimeout(retryTimer);
    if (isClosed) return;
    const opened = new Socket(options.url);
    socket = opened;
    let openedAt = 0;
    let isLoggedIn = false;
    const watch = watchSilence(timeoutMs, { ping: () => say({ op: "ping" }), dead: () => lose(opened, 4000) });
    stopWatching = watch.stop;

    const endSession = (token: string | null) => {
      if (!isLoggedIn) return;
      isLoggedIn = false;
      refusedToken = token;
      options.onSessionEnd(token);
    };
    const token = options.token();

    opened.addEventListener("open", () => {
      if (socket !== opened) return;
      openedAt = performance.now();
      watch.heard();
      isLoggedIn = token !== null && token !== refusedToken;
      if (isLoggedIn && token !== null) say({ op: "auth", token });
      const wanted = [...topics].filter((topic) => isLoggedIn || isPublicTopic(topic));
      if (wanted.length > 0) say({ op: "subscribe", topics: wanted, ...spoken() });
      options.onConnected(true);
      if (wasConnected) options.onGap({ reason: "reconnected" });
      wasConnected = true;
    });
    opened.addEventListener("message", (event: MessageEvent<unknown>) => {
      if (socket !== opened) return;
      watch.heard();
      const message = readMessage(event.data);
      if (!message) return;
      if ("now" in message) options.clock?.learn(message.now);
      if (message.t === "ok" && message.op === "ping") return;
      if (message.t === "error" && (message.error === "SESSION_EXPIRED" || message.error === "LOGIN_REQUIRED"))
        endSession(token);
      options.onMessage(message.t === "ticks" ? { ...message, d: takeTicks(message.d) } : message);
    });
    /** Not heard of any more: by its close, or by its silence, when a close may never come. */
    const lose = (lost: WebSocket, code: number) => {
      watch.stop();
      if (socket !== lost) return;
      socket = null;
      lost.close();
      if (code === SESSION_OVER) endSession(token);
      options.onConnected(false);
      const wasStable = openedAt > 0 && performance.now() - openedAt >= STABLE_MS;
      failures = wasStable ? 0 : failures + 1;
      const most = Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** failures);
      // A server that ended ended for everybody: they spread over seconds instead of all coming back at once.
      const spread = wasStable ? random() * RETURN_SPREAD_MS : 0;
      retryTimer = setTimeout(connect, code === SESSION_OVER ? 0 : spread + most * (0.5 + random() / 2));
    };
    opened.addEventListener("close", (event) => lose(opened, event.code));
    // The close event that follows says all there is to say.
    opened.addEventListener("error", () => {});
  };

  /** Drops ticks that came before, and tells of those that did not come. */
  const takeTicks = (entries: readonly TickEntry[]): TickEntry[] =>
    entries.filter(([symbol, seq]) => {
      const last = lastSeq.get(symbol);
      if (last !== undefined && seq <= last) return false;
      lastSeq.set(symbol, seq);
      if (last !== undefined && seq > last + 1) options.onGap({ reason: "ticks", symbol, after: last, before: seq });
      return true;
    });

  const reconnect = () => {
    const old = socket;
    socket = null;
    stopWatching();
    old?.close(1000);
    connect();
  };

  connect();
  return {
    subscribe(wanted) {
      const fresh = wanted.filter((topic) => !topics.has(topic));
      for (const topic of fresh) topics.add(topic);
      const allowed = options.token() === null ? fresh.filter((topic) => isPublicTopic(topic)) : fresh;
      if (allowed.length > 0) say({ op: "subscribe", topics: allowed, ...spoken() });
    },
    unsubscribe(unwanted) {
      const known = unwanted.filter((topic) => topics.delete(topic));
      for (const topic of known) forgetSeq(topic, lastSeq);
      if (known.length > 0) say({ op: "unsubscribe", topics: known });
    },
    tokenChanged() {
      refusedToken = null;
      reconnect();
    },
    retryNow() {
      if (isClosed || (socket && socket.readyState <= Socket.OPEN)) return;
      failures = 0;
      connect();
    },
    close() {
      isClosed = true;
      clearTimeout(retryTimer);
      stopWatching();
      const old = socket;
      socket = null;
      old?.close(1000);
    },
  };
}

/** A later subscription starts at whatever tick is next then. */
function forgetSeq(topic: Topic, lastSeq: Map<string, number>): void {
  if (topic === "tick:*") lastSeq.clear();
  else if (topic.startsWith("tick:")) lastSeq.delete(topic.slice("tick:".length));
}

/** Pings, and says so once nothing was heard for `timeoutMs`: a phone's network dies without a word. */
function watchSilence(timeoutMs: number, on: { ping: () => void; dead: () => void }) {
  let heardAt = performance.now();
  const pings = setInterval(on.ping, Math.min(PING_EVERY_MS, timeoutMs / 4));
  // Set again only when it has run out: far more is heard than is silence.
  const look = () => {
    const leftMs = timeoutMs - (performance.now() - heardAt);
    if (leftMs <= 0) on.dead();
    else silence = setTimeout(look, leftMs);
  };
  let silence = setTimeout(look, timeoutMs);
  return {
    heard: () => void (heardAt = performance.now()),
    stop: () => {
      clearInterval(pings);
      clearTimeout(silence);
    },
  };
}

function readMessage(data: unknown): StreamMessage | null {
  if (typeof data !== "string") return null;
  try {
    const message: unknown = JSON.parse(data);
    // The server speaks by the schema that the type comes from.
    return isRecord(message) && typeof message["t"] === "string" ? (message as unknown as StreamMessage) : null;
  } catch {
    return null;
  }
}

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
/** Clients spread their reconnections over this time after a server has ended. */
const RETURN_SPREAD_MS = 3_000;
/** After a connection that lasted this long, the next pause starts short again. */
const STABLE_MS = 10_000;

/** What the stream may have missed. Clients that need it must fetch it with calls. */
export type Gap =
  | { readonly reason: "reconnected" }
  /** The ticks of one instrument between the numbers `after` and `before` (both exclusive) are missing. */
  | { readonly reason: "ticks"; readonly symbol: string; readonly after: number; readonly before: number };

export interface StreamOptions {
  /** Such as `wss://…/client/stream`. */
  readonly url: string;
  /** Returns the session token. Called on every connection; null for a visitor. */
  readonly token: () => string | null;
  /** Returns the value of the `Lang` header, the language of texts that the server sends. */
  readonly lang?: () => string;
  /** Called for each message except answers to pings. Ticks that it has received before are left out. */
  readonly onMessage: (message: StreamMessage) => void;
  readonly onGap: (gap: Gap) => void;
  readonly onConnected: (isConnected: boolean) => void;
  /** Called when the session of this token has ended. The stream continues with the topics that need no login. */
  readonly onSessionEnd: (token: string | null) => void;
  readonly clock?: ServerClock;
  readonly WebSocket?: typeof WebSocket;
  /** Returns a number between 0 and 1; set in tests. */
  readonly random?: () => number;
  readonly timeoutMs?: number;
}

export interface Stream {
  subscribe(topics: readonly Topic[]): void;
  unsubscribe(topics: readonly Topic[]): void;
  /** Reconnects with the current token. Must be called after a login or logout. */
  tokenChanged(): void;
  /** Ends the pause and connects immediately, because the network is back or the page is visible again. */
  retryNow(): void;
  close(): void;
}

/** Opens a connection to the server's stream and reconnects whenever it is lost, until it is closed. */
export function createStream(options: StreamOptions): Stream {
  const line = new Line(options);
  line.connect();
  return {
    subscribe: (wanted) => line.subscribe(wanted),
    unsubscribe: (unwanted) => line.unsubscribe(unwanted),
    tokenChanged: () => line.tokenChanged(),
    retryNow: () => line.retryNow(),
    close: () => line.close(),
  };
}

/** One of the successive connections of a stream. */
interface Opened {
  readonly socket: WebSocket;
  readonly token: string | null;
  readonly watch: ReturnType<typeof watchSilence>;
  /** `performance.now()` when the socket opened; 0 until then. */
  openedAt: number;
  isLoggedIn: boolean;
}

class Line {
  readonly #options: StreamOptions;
  readonly #Socket: typeof WebSocket;
  readonly #random: () => number;
  readonly #topics = new Set<Topic>();
  readonly #lastSeq = new Map<string, number>();
  #current: Opened | null = null;
  #isClosed = false;
  #wasConnected = false;
  #failures = 0;
  #refusedToken: string | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#Socket = options.WebSocket ?? WebSocket;
    this.#random = options.random ?? Math.random;
  }

  connect(): void {
    clearTimeout(this.#retryTimer);
    if (this.#isClosed) return;
    const socket = new this.#Socket(this.#options.url);
    const watch = watchSilence(this.#options.timeoutMs ?? TIMEOUT_MS, {
      ping: () => this.#say({ op: "ping" }),
      dead: () => this.#lose(opened, 4000),
    });
    const opened: Opened = { socket, token: this.#options.token(), watch, openedAt: 0, isLoggedIn: false };
    this.#current = opened;
    socket.addEventListener("open", () => this.#begin(opened));
    socket.addEventListener("message", (event: MessageEvent<unknown>) => this.#hear(opened, event.data));
    socket.addEventListener("close", (event) => this.#lose(opened, event.code));
    // Nothing to do, because a close event always follows.
    socket.addEventListener("error", () => {});
  }

  subscribe(wanted: readonly Topic[]): void {
    const fresh = wanted.filter((topic) => !this.#topics.has(topic));
    for (const topic of fresh) this.#topics.add(topic);
    const allowed = this.#options.token() === null ? fresh.filter((topic) => isPublicTopic(topic)) : fresh;
    if (allowed.length > 0) this.#say({ op: "subscribe", topics: allowed, ...this.#spoken() });
  }

  unsubscribe(unwanted: readonly Topic[]): void {
    const known = unwanted.filter((topic) => this.#topics.delete(topic));
    for (const topic of known) forgetSeq(topic, this.#lastSeq);
    if (known.length > 0) this.#say({ op: "unsubscribe", topics: known });
  }

  tokenChanged(): void {
    this.#refusedToken = null;
    this.#drop();
    this.connect();
  }

  retryNow(): void {
    const { socket } = this.#current ?? {};
    if (this.#isClosed || (socket && socket.readyState <= this.#Socket.OPEN)) return;
    this.#failures = 0;
    this.connect();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
  }

  #drop(): void {
    const old = this.#current;
    this.#current = null;
    old?.watch.stop();
    old?.socket.close(1000);
  }

  #spoken() {
    return this.#options.lang === undefined ? {} : { lang: this.#options.lang() };
  }

  #say(message: ClientMessage): void {
    const { socket } = this.#current ?? {};
    if (socket?.readyState === this.#Socket.OPEN) socket.send(JSON.stringify(message));
  }

  #begin(opened: Opened): void {
    if (this.#current !== opened) return;
    const { token } = opened;
    opened.openedAt = performance.now();
    opened.watch.heard();
    opened.isLoggedIn = token !== null && token !== this.#refusedToken;
    if (opened.isLoggedIn && token !== null) this.#say({ op: "auth", token });
    const wanted = [...this.#topics].filter((topic) => opened.isLoggedIn || isPublicTopic(topic));
    if (wanted.length > 0) this.#say({ op: "subscribe", topics: wanted, ...this.#spoken() });
    this.#options.onConnected(true);
    if (this.#wasConnected) this.#options.onGap({ reason: "reconnected" });
    this.#wasConnected = true;
  }

  #hear(opened: Opened, data: unknown): void {
    if (this.#current !== opened) return;
    opened.watch.heard();
    const message = readMessage(data);
    if (!message) return;
    if ("now" in message) this.#options.clock?.learn(message.now);
    if (message.t === "ok" && message.op === "ping") return;
    if (message.t === "error" && (message.error === "SESSION_EXPIRED" || message.error === "LOGIN_REQUIRED"))
      this.#endSession(opened);
    this.#options.onMessage(message.t === "ticks" ? { ...message, d: this.#takeTicks(message.d) } : message);
  }

  #endSession(opened: Opened): void {
    if (!opened.isLoggedIn) return;
    opened.isLoggedIn = false;
    this.#refusedToken = opened.token;
    this.#options.onSessionEnd(opened.token);
  }

  /** Gives up a connection that closed or fell silent. After silence, a close event may never come. */
  #lose(lost: Opened, code: number): void {
    lost.watch.stop();
    if (this.#current !== lost) return;
    this.#current = null;
    lost.socket.close();
    if (code === SESSION_OVER) this.#endSession(lost);
    this.#options.onConnected(false);
    const wasStable = lost.openedAt > 0 && performance.now() - lost.openedAt >= STABLE_MS;
    this.#failures = wasStable ? 0 : this.#failures + 1;
    const most = Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** this.#failures);
    // If the server ended, all its clients lost it. They reconnect spread over seconds instead of all at once.
    const spread = wasStable ? this.#random() * RETURN_SPREAD_MS : 0;
    const pauseMs = code === SESSION_OVER ? 0 : spread + most * (0.5 + this.#random() / 2);
    this.#retryTimer = setTimeout(() => this.connect(), pauseMs);
  }

  /** Drops ticks that were received before, and reports missing ones. */
  #takeTicks(entries: readonly TickEntry[]): TickEntry[] {
    return entries.filter(([symbol, seq]) => {
      const last = this.#lastSeq.get(symbol);
      if (last !== undefined && seq <= last) return false;
      this.#lastSeq.set(symbol, seq);
      if (last !== undefined && seq > last + 1)
        this.#options.onGap({ reason: "ticks", symbol, after: last, before: seq });
      return true;
    });
  }
}

/** Forgets the last tick of a topic, because a later subscription starts with the tick that is newest then. */
function forgetSeq(topic: Topic, lastSeq: Map<string, number>): void {
  if (topic === "tick:*") lastSeq.clear();
  else if (topic.startsWith("tick:")) lastSeq.delete(topic.slice("tick:".length));
}

/**
 * Sends pings and reports when nothing was received for `timeoutMs`, because a phone's network can fail without any
 * event.
 */
function watchSilence(timeoutMs: number, on: { ping: () => void; dead: () => void }) {
  let heardAt = performance.now();
  const pings = setInterval(on.ping, Math.min(PING_EVERY_MS, timeoutMs / 4));
  // The timer is restarted only when it has run out, not on every message, because there are many messages.
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
    // Not validated further: the server's messages follow the schema from which the type is derived.
    return isRecord(message) && typeof message["t"] === "string" ? (message as unknown as StreamMessage) : null;
  } catch {
    return null;
  }
}

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
/** When a server ends, its clients connect again spread over this time. */
const RETURN_SPREAD_MS = 3_000;
/** After a connection that lasted this long, the next pause is short again. */
const STABLE_MS = 10_000;

/** What the stream may have missed. Whoever needs it has to ask for it with calls. */
export type Gap =
  | { readonly reason: "reconnected" }
  /** The ticks of one instrument after number `after` and before number `before` did not come. */
  | { readonly reason: "ticks"; readonly symbol: string; readonly after: number; readonly before: number };

export interface StreamOptions {
  /** `wss://…/client/stream`. */
  readonly url: string;
  /** Asked at each connection; null for a visitor. */
  readonly token: () => string | null;
  /** Value of the `Lang` header: the language of texts that the server pushes. */
  readonly lang?: () => string;
  /** Called for each message except answers to pings; ticks that came already are left out. */
  readonly onMessage: (message: StreamMessage) => void;
  readonly onGap: (gap: Gap) => void;
  readonly onConnected: (isConnected: boolean) => void;
  /** Called when the session of this token is over. The stream goes on with what needs no login. */
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
  /** To be called after a login or logout: connects again with the token that there is now. */
  tokenChanged(): void;
  /** Ends the pause and connects immediately, because the network is back or the page is in view again. */
  retryNow(): void;
  close(): void;
}

/** Keeps a connection to the server's stream, and makes a new one after each loss, until it is closed. */
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

/** One of the connections that a stream makes one after the other. */
interface Opened {
  readonly socket: WebSocket;
  readonly token: string | null;
  readonly watch: ReturnType<typeof watchSilence>;
  /** 0 until the socket is open. */
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
    // Nothing to do: a close event always follows.
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

  /** Gives a connection up because it closed or fell silent. After silence a close event may never come. */
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
    // If the server ended, it ended for everybody: clients come back spread over seconds instead of all at once.
    const spread = wasStable ? this.#random() * RETURN_SPREAD_MS : 0;
    const pauseMs = code === SESSION_OVER ? 0 : spread + most * (0.5 + this.#random() / 2);
    this.#retryTimer = setTimeout(() => this.connect(), pauseMs);
  }

  /** Drops ticks that came already, and reports those that did not come. */
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

/** Forgets the last tick of a topic, since a later subscription starts with whatever tick is next then. */
function forgetSeq(topic: Topic, lastSeq: Map<string, number>): void {
  if (topic === "tick:*") lastSeq.clear();
  else if (topic.startsWith("tick:")) lastSeq.delete(topic.slice("tick:".length));
}

/** Pings, and reports when nothing was heard for `timeoutMs`: a phone's network can fail without any event. */
function watchSilence(timeoutMs: number, on: { ping: () => void; dead: () => void }) {
  let heardAt = performance.now();
  const pings = setInterval(on.ping, Math.min(PING_EVERY_MS, timeoutMs / 4));
  // The timer is set again only when it has run out, not at every message: messages are many.
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
    // Not checked further: the server's messages follow the schema that the type comes from.
    return isRecord(message) && typeof message["t"] === "string" ? (message as unknown as StreamMessage) : null;
  } catch {
    return null;
  }
}

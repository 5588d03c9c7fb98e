import { WebSocket } from "ws";
import type { Log } from "../../../platform/log.ts";

export interface LastingSocketParts {
  readonly url: string;
  readonly name: string;
  readonly log: Log;
  /** Messages to send after each connect. */
  readonly greetings: readonly object[];
  readonly onText: (text: string) => void;
  /** A source that is silent for this long counts as gone. */
  readonly silenceMsMax: number;
  /** How long `askAgain` waits; 30 s by default. */
  readonly askAgainMs?: number | undefined;
}

export interface LastingSocket {
  /** Replaces this connection with a new one. */
  renew(): void;
  /**
   * Sends a message after a while, unless this connection has ended by then. Replaces a waiting message with the same
   * key, so that a source can't make the messages grow in number.
   */
  askAgain(key: string, message: object): void;
  stop(): Promise<void>;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
/** Only after a connection has lasted this long is the next one quick again. A server may greet and close at once. */
export const STABLE_MS = 10_000;
/** A source that refuses a subscription is asked again this much later. */
const ASK_AGAIN_MS = 30_000;

/** Opens a client socket that reconnects until stopped: after a close, an error or a silence, and waits longer each time. */
export function openLastingSocket(parts: LastingSocketParts): LastingSocket {
  return new ReconnectingSocket(parts);
}

class ReconnectingSocket implements LastingSocket {
  readonly #parts: LastingSocketParts;
  readonly #again = new Map<string, object>();
  #socket: WebSocket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #stable: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #failures = 0;
  #stopped = false;

  constructor(parts: LastingSocketParts) {
    this.#parts = parts;
    this.#connect();
  }

  renew(): void {
    this.#socket?.terminate();
  }

  askAgain(key: string, message: object): void {
    this.#again.set(key, message);
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      for (const each of this.#again.values()) this.#socket?.send(JSON.stringify(each));
      this.#again.clear();
    }, this.#parts.askAgainMs ?? ASK_AGAIN_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#forget();
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.terminate();
    await closed;
  }

  #connect = (): void => {
    const { url, name, log, greetings, onText } = this.#parts;
    const mine = new WebSocket(url, { handshakeTimeout: 5_000, maxPayload: 1_048_576 });
    this.#socket = mine;
    mine.on("open", () => {
      log.info({ feed: name, url }, "connected to a price source");
      for (const greeting of greetings) mine.send(JSON.stringify(greeting));
      this.#heard(mine);
      this.#stable = setTimeout(() => {
        this.#failures = 0;
      }, STABLE_MS);
    });
    mine.on("message", (data: Buffer, isBinary) => {
      this.#heard(mine);
      if (!isBinary) onText(data.toString("utf8"));
    });
    mine.on("error", (error) => {
      log.warn({ feed: name, err: error }, "a price source failed");
    });
    mine.on("close", () => {
      this.#forget();
      if (this.#stopped) return;
      const wait = Math.min(BACKOFF_MS_MIN * 2 ** this.#failures, BACKOFF_MS_MAX);
      this.#failures += 1;
      // Wait up to a quarter longer at random, so that many clients don't all reconnect at once.
      this.#retry = setTimeout(this.#connect, wait * (1 + Math.random() / 4));
    });
  };

  #heard(of: WebSocket): void {
    const { name, log, silenceMsMax } = this.#parts;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      log.warn({ feed: name }, "the source went silent");
      of.terminate();
    }, silenceMsMax);
  }

  /** Ends everything that waits for this connection. The next one asks for all subscriptions anyway. */
  #forget(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#stable);
    clearTimeout(this.#asking);
    this.#asking = undefined;
    this.#again.clear();
  }
}

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
}

export interface LastingSocket {
  /** Replaces this connection with a new one. */
  renew(): void;
  stop(): Promise<void>;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;

/** Opens a client socket that reconnects until stopped: after a close, an error or a silence, and waits longer each time. */
export function openLastingSocket(parts: LastingSocketParts): LastingSocket {
  const { url, name, log } = parts;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  let failures = 0;
  let stopped = false;

  function heard(of: WebSocket): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      log.warn({ feed: name }, "the source went silent");
      of.terminate();
    }, parts.silenceMsMax);
  }

  function connect(): void {
    const mine = new WebSocket(url, { handshakeTimeout: 5_000, maxPayload: 1_048_576 });
    socket = mine;
    mine.on("open", () => {
      log.info({ feed: name, url }, "connected to a price source");
      for (const greeting of parts.greetings) mine.send(JSON.stringify(greeting));
      heard(mine);
    });
    mine.on("message", (data: Buffer, isBinary) => {
      failures = 0;
      heard(mine);
      if (!isBinary) parts.onText(data.toString("utf8"));
    });
    mine.on("error", (error) => {
      log.warn({ feed: name, err: error }, "a price source failed");
    });
    mine.on("close", () => {
      clearTimeout(silence);
      if (stopped) return;
      const wait = Math.min(BACKOFF_MS_MIN * 2 ** failures, BACKOFF_MS_MAX);
      failures += 1;
      // Wait up to a quarter longer at random, so that many clients don't all reconnect at once.
      retry = setTimeout(connect, wait * (1 + Math.random() / 4));
    });
  }

  connect();
  return {
    renew() {
      socket?.terminate();
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      clearTimeout(silence);
      if (!socket || socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise((resolve) => socket?.once("close", resolve));
      socket.terminate();
      await closed;
    },
  };
}

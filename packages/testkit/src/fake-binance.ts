import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** Best bid and ask exactly as written in the message. The exchange puts them in quotes; a test may send anything. */
export interface FakeBook {
  readonly bid: string;
  readonly ask: string;
  /** The order book's update id; by default one more than the last. */
  readonly update?: bigint | string;
}

/**
 * A server for Binance's market streams (`SUBSCRIBE` of `<pair>@bookTicker` on a raw connection) over a real socket,
 * which misbehaves on demand. A test decides each message, in any order and any number of times.
 */
export interface FakeBinance {
  readonly url: string;
  /** Waits until a client has subscribed. */
  subscribed(): Promise<void>;
  /** Returns the streams to which all connections have subscribed since the start. */
  streams(): ReadonlySet<string>;
  connections(): number;
  /** Returns the last update id that was sent. */
  lastUpdate(): bigint;
  book(pair: string, book: FakeBook): void;
  /** Sends any text, even if it isn't JSON. */
  raw(text: string): void;
  /** Announces a shutdown, and waits for the clients to leave. */
  announceShutdown(): void;
  /** Cuts all connections. Clients can reconnect. */
  drop(): void;
  /** Keeps connections open but sends no quotes and no answers until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

interface Subscribe {
  readonly method?: string;
  readonly params?: readonly string[];
  readonly id?: number;
}

export async function startFakeBinance(): Promise<FakeBinance> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path: "/ws" });
  await new Promise((resolve) => server.once("listening", resolve));
  const subscriptions = new Map<WebSocket, Set<string>>();
  const asked = new Set<string>();
  let waiting: (() => void)[] = [];
  let connections = 0;
  let frozen = false;
  let update = 400_900_217n;

  server.on("connection", (socket) => {
    connections += 1;
    const mine = new Set<string>();
    subscriptions.set(socket, mine);
    socket.on("message", (data: Buffer) => {
      const request = JSON.parse(data.toString("utf8")) as Subscribe;
      if (request.method !== "SUBSCRIBE") {
        send(socket, JSON.stringify({ error: { code: 2, msg: "Invalid request: unknown variant" }, id: request.id }));
        return;
      }
      for (const stream of request.params ?? []) {
        mine.add(stream);
        asked.add(stream);
      }
      send(socket, JSON.stringify({ result: null, id: request.id }));
      for (const resolve of waiting) resolve();
      waiting = [];
    });
    socket.on("close", () => subscriptions.delete(socket));
  });

  function send(socket: WebSocket, text: string): void {
    if (!frozen && socket.readyState === WebSocket.OPEN) socket.send(text);
  }

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`,
    subscribed() {
      for (const streams of subscriptions.values()) if (streams.size > 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    streams: () => asked,
    connections: () => connections,
    lastUpdate: () => update,
    book(pair, { bid, ask, update: told = update + 1n }) {
      if (typeof told === "bigint") update = told;
      const text = `{"u":${told},"s":"${pair}","b":${bid},"B":"31.21000000","a":${ask},"A":"40.66000000"}`;
      const stream = `${pair.toLowerCase()}@bookTicker`;
      for (const [socket, streams] of subscriptions) if (streams.has(stream)) send(socket, text);
    },
    raw(text) {
      for (const socket of subscriptions.keys()) send(socket, text);
    },
    announceShutdown() {
      for (const socket of subscriptions.keys()) send(socket, `{"e":"serverShutdown","E":${Date.now()}}`);
    },
    drop() {
      for (const socket of subscriptions.keys()) socket.terminate();
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
    },
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

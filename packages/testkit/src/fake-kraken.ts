import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** Numbers exactly as written in the message, so that a test can send ones that no float can hold, or none at all. */
export interface FakeTicker {
  readonly bid: string;
  readonly ask: string;
  /** RFC 3339; the current time by default. Null leaves it out of the message. */
  readonly timestamp?: string | null;
}

/**
 * A server for Kraken's WebSocket API v2 (channels status, heartbeat, ticker, trade) over a real socket, which
 * misbehaves on demand. A test decides each message, in any order and any number of times.
 */
export interface FakeKraken {
  readonly url: string;
  /** Waits until a client has subscribed to the ticker channel. */
  subscribed(): Promise<void>;
  connections(): number;
  ticker(pair: string, ticker: FakeTicker): void;
  trade(pair: string, price: string, timestamp?: string): void;
  /** Sends any text, even if it isn't JSON. */
  raw(text: string): void;
  /** Cuts all connections. Clients can reconnect. */
  drop(): void;
  /** Keeps connections open but sends no heartbeats and no answers until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

const HEARTBEAT_EVERY_MS = 1_000;

interface Subscribe {
  readonly method?: string;
  readonly params?: { readonly channel?: string; readonly symbol?: readonly string[] };
}

export async function startFakeKraken(): Promise<FakeKraken> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((resolve) => server.once("listening", resolve));
  const subscriptions = new Map<WebSocket, Set<string>>();
  let waiting: (() => void)[] = [];
  let connections = 0;
  let frozen = false;

  server.on("connection", (socket) => {
    connections += 1;
    const mine = new Set<string>();
    subscriptions.set(socket, mine);
    send(socket, `{"channel":"status","type":"update","data":[{"system":"online","api_version":"v2"}]}`);
    socket.on("message", (data: Buffer) => {
      const request = JSON.parse(data.toString("utf8")) as Subscribe;
      const channel = request.params?.channel ?? "";
      for (const symbol of request.params?.symbol ?? []) {
        mine.add(`${channel} ${symbol}`);
        send(socket, JSON.stringify({ method: request.method, success: true, result: { channel, symbol } }));
      }
      if (channel !== "ticker") return;
      for (const resolve of waiting) resolve();
      waiting = [];
    });
    socket.on("close", () => subscriptions.delete(socket));
  });

  function send(socket: WebSocket, text: string): void {
    if (!frozen && socket.readyState === WebSocket.OPEN) socket.send(text);
  }

  function tell(topic: string, text: string): void {
    for (const [socket, topics] of subscriptions) if (topics.has(topic)) send(socket, text);
  }

  const heartbeat = setInterval(() => {
    for (const socket of subscriptions.keys()) send(socket, `{"channel":"heartbeat"}`);
  }, HEARTBEAT_EVERY_MS);

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscribed() {
      for (const topics of subscriptions.values()) if (topics.size > 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    connections: () => connections,
    ticker(pair, { bid, ask, timestamp = new Date().toISOString() }) {
      const when = timestamp === null ? "" : `,"timestamp":"${timestamp}"`;
      const data = `{"symbol":"${pair}","bid":${bid},"bid_qty":1.5,"ask":${ask},"ask_qty":2.0,"last":${bid}${when}}`;
      tell(`ticker ${pair}`, `{"channel":"ticker","type":"update","data":[${data}]}`);
    },
    trade(pair, price, timestamp = new Date().toISOString()) {
      const data = `{"symbol":"${pair}","side":"buy","price":${price},"qty":0.1,"trade_id":1,"timestamp":"${timestamp}"}`;
      tell(`trade ${pair}`, `{"channel":"trade","type":"update","data":[${data}]}`);
    },
    raw(text) {
      for (const socket of subscriptions.keys()) send(socket, text);
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
      clearInterval(heartbeat);
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

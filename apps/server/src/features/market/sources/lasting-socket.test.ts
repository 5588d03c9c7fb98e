import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { waitUntil } from "@fairtick/testkit";
import { pino } from "pino";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { systemClock } from "../../../platform/clock.ts";
import { createBinanceFeed } from "./binance-feed.ts";
import type { Feed } from "./feed.ts";
import { createKrakenFeed } from "./kraken-feed.ts";
import { openLastingSocket } from "./lasting-socket.ts";

const log = pino({ level: "silent" });
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server that handles each connection, and returns its address. */
async function serve(onConnection: (socket: WebSocket) => void): Promise<string> {
  const http = createServer();
  server = http;
  new WebSocketServer({ server: http }).on("connection", onConnection);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it("waits longer each time for a server that greets and closes", async () => {
  let connections = 0;
  const url = await serve((socket) => {
    connections += 1;
    socket.send("hello");
    socket.close();
  });
  const socket = openLastingSocket({
    url,
    name: "a",
    log,
    greetings: [],
    silenceMsMax: 4_000,
    onText: () => undefined,
  });
  await pause(2_600);
  await socket.stop();
  // At 0, 250, 750 and 1,750 ms, each up to a quarter later.
  expect(connections).toBeGreaterThan(2);
  expect(connections).toBeLessThanOrEqual(4);
});

it("asks again once for each key, on the same connection, and forgets it when the connection ends", async () => {
  const heard: string[] = [];
  let connections = 0;
  const url = await serve((socket) => {
    connections += 1;
    socket.on("message", (data: Buffer) => heard.push(data.toString("utf8")));
  });
  const socket = openLastingSocket({
    url,
    name: "a",
    log,
    greetings: [{ hello: 1 }],
    silenceMsMax: 4_000,
    askAgainMs: 100,
    onText: () => undefined,
  });
  await waitUntil("the greeting", () => heard.length === 1, 3_000);
  socket.askAgain("one", { one: 1 });
  socket.askAgain("one", { one: 2 });
  socket.askAgain("two", { two: 1 });
  await waitUntil("both messages", () => heard.length >= 3, 3_000);
  socket.askAgain("three", { three: 1 });
  socket.renew();
  await waitUntil("another connection", () => connections === 2, 3_000);
  await pause(200);
  await socket.stop();
  expect(heard).toEqual(['{"hello":1}', '{"one":2}', '{"two":1}', '{"hello":1}']);
});

function listen(feed: Feed): string[] {
  const symbols: string[] = [];
  feed.start({ quote: ({ symbol }) => symbols.push(symbol), malformed: () => undefined, refused: () => undefined });
  onTestFinished(() => feed.stop());
  return symbols;
}

it("asks Kraken again only for the pair and channel that it refused", async () => {
  const asked: unknown[] = [];
  const url = await serve((socket) => {
    socket.on("message", (data: Buffer) => {
      const { params, req_id: number } = JSON.parse(data.toString("utf8")) as { params: object; req_id: number };
      asked.push(params);
      if (asked.length > 3) return;
      const error = { method: "subscribe", success: false, req_id: number };
      if (number === 1)
        socket.send(JSON.stringify({ ...error, symbol: "B/USD", error: "Currency pair not supported" }));
      else socket.send(JSON.stringify({ ...error, symbol: "A/USD", error: "Already subscribed" }));
    });
  });
  const pairs = new Map(["A", "B"].map((name) => [`${name}/USD`, `${name}USD`]));
  listen(createKrakenFeed({ url, pairs, log, clock: systemClock, askAgainMs: 50 }));
  await waitUntil("a third and fourth request", () => asked.length === 4, 3_000);
  await pause(200);
  expect(asked.map((each) => JSON.stringify(each))).toEqual([
    expect.stringContaining('"ticker","symbol":["A/USD","B/USD"]'),
    expect.stringContaining('"trade","symbol":["A/USD","B/USD"]'),
    expect.stringContaining('"ticker","symbol":["B/USD"]'),
    expect.stringContaining('"ticker","symbol":["B/USD"]'),
  ]);
});

it("asks Binance again if it refuses", async () => {
  let asked = 0;
  const url = await serve((socket) => {
    socket.on("message", () => {
      asked += 1;
      socket.send(asked === 1 ? '{"error":{"code":2,"msg":"Invalid request"},"id":1}' : '{"result":null,"id":1}');
    });
  });
  listen(createBinanceFeed({ url, pairs: new Map([["A", "AUSD"]]), log, clock: systemClock, askAgainMs: 50 }));
  await waitUntil("a second request", () => asked === 2, 3_000);
  await pause(150);
  expect(asked).toBe(2);
});

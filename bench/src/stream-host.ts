/**
 * A process of the fan-out benchmark: the product's stream, and a plain `ws` server that sends the same text by
 * `ws.send` to each client. The parent process sets the rate of prices.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Points } from "@fairtick/domain";
import { FIRST_SM1_PARAMS } from "@fairtick/domain";
import { attachStream } from "@fairtick/server/features/stream";
import { createLocalBus } from "@fairtick/server/platform/bus";
import { systemClock } from "@fairtick/server/platform/clock";
import { createLog } from "@fairtick/server/platform/log";
import { type WebSocket, WebSocketServer } from "ws";

export interface HostReady {
  readonly kind: "ready";
  readonly streamPort: number;
  readonly plainPort: number;
}

export interface FeedOrder {
  readonly kind: "feed";
  readonly to: "stream" | "plain";
  readonly slots: number;
  readonly slotMs: number;
}

export interface FeedDone {
  readonly kind: "fed";
  readonly frames: number;
  readonly cpuUs: number;
}

const bus = createLocalBus((error) => {
  throw error;
});
const decimals = new Map(FIRST_SM1_PARAMS.map(({ symbol, digits }) => [symbol, digits]));
const symbols = [...decimals.keys()];

const streamServer = createServer();
const stream = attachStream(streamServer, {
  clock: systemClock,
  bus,
  log: createLog("bench stream", "warn"),
  security: { note: () => undefined },
  publicUrl: "http://127.0.0.1",
  authenticate: async () => null,
  decimalsOf: (symbol) => decimals.get(symbol),
  members: { readOrders: async () => [], readRunningOrderIds: async () => [], readSummaries: async () => [] },
  rateLimitFactor: 1_000,
});

const plainServer = createServer();
const plainClients = new Set<WebSocket>();
new WebSocketServer({ server: plainServer, perMessageDeflate: false }).on("connection", (client) => {
  plainClients.add(client);
  client.on("close", () => plainClients.delete(client));
});

let seq = 0n;

function feedSlot(to: FeedOrder["to"]): number {
  const time = systemClock.now();
  seq += 1n;
  const ticks = symbols.map((symbol, index) => ({
    symbol,
    seq,
    time,
    price: (1_085_000n + ((seq * 7n + BigInt(index)) % 1_000n)) as Points,
  }));
  if (to === "stream") {
    bus.publish("ticks", { ticks, sealedThrough: ticks.map(({ symbol }) => ({ symbol, time })) });
    return 0;
  }
  const rows = ticks.map(({ symbol, price }) => [symbol, Number(seq), Number(time), String(Number(price) / 1e6)]);
  const text = JSON.stringify({ t: "ticks", now: Number(time), d: rows });
  for (const client of plainClients) client.send(text);
  return plainClients.size;
}

async function feed({ to, slots, slotMs }: FeedOrder): Promise<FeedDone> {
  const framesBefore = stream.figures.tickFrames;
  const { user, system } = process.cpuUsage();
  let frames = 0;
  const begun = performance.now();
  for (let slot = 1; slot <= slots; slot += 1) {
    frames += feedSlot(to);
    const waitMs = begun + slot * slotMs - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
  }
  const used = process.cpuUsage();
  if (to === "stream") frames = stream.figures.tickFrames - framesBefore;
  return { kind: "fed", frames, cpuUs: used.user - user + used.system - system };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

process.on("message", (order: FeedOrder) => {
  void feed(order).then((fed) => process.send?.(fed));
});
process.on("disconnect", () => process.exit(0));
const ready: HostReady = {
  kind: "ready",
  streamPort: await listen(streamServer),
  plainPort: await listen(plainServer),
};
process.send?.(ready);

import { waitUntil } from "@fairtick/testkit";
import { startNats, type TestNats } from "@fairtick/testkit/nats";
import { afterAll, beforeAll, expect, it } from "vitest";
import { natsChannel } from "../../platform/bus-nats.ts";
import { type BusChannel, type BusEvents, createBus } from "../../platform/bus.ts";
import { createOrderWorld, type OrderWorld } from "../orders/test-world.ts";
import { startCatchUp } from "./catch-up.ts";

let world: OrderWorld;
let nats: TestNats;
let channel: BusChannel;
let catchUp: ReturnType<typeof startCatchUp>;
const ticks: BusEvents["ticks"]["ticks"][number][] = [];
const orders: bigint[] = [];
const accounts: bigint[] = [];
let isConnected = true;

beforeAll(async () => {
  world = await createOrderWorld();
  nats = await startNats();
  channel = await natsChannel(nats.url, world.context.log);
  // Acts as another machine than the one where orders are placed and settled: it learns of them only through NATS.
  const bus = createBus((error) => {
    throw error;
  }, channel);
  bus.subscribe("ticks", (event) => ticks.push(...event.ticks));
  bus.subscribe("orders", ({ orderIds }) => orders.push(...orderIds));
  bus.subscribe("accounts", ({ members }) => accounts.push(...members));
  bus.watch((connected) => {
    isConnected = connected;
  });
  await world.tick();
  catchUp = startCatchUp({ ...world.context, bus });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
});
afterAll(async () => {
  await catchUp.stop();
  await channel.close();
  await nats.end();
  await world.close();
});

it("reads from the tables what a lost NATS did not deliver: prices, accepted and settled orders, accounts", async () => {
  expect(orders).toEqual([]);
  await nats.end();
  await waitUntil("the loss to be told", () => !isConnected);
  const memberId = await world.build.createMember();
  await world.tick();
  await world.accepted(memberId);
  await waitUntil("the accepted order", () => orders.length === 1);
  await waitUntil("the missed price", () => ticks.some(({ symbol }) => symbol === "EURUSD"));
  const at = (await world.build.now()) + 1n;
  await world.build.feedTicks("EURUSD", [
    { time: at, price: 1_085_000n },
    { time: at + 29_000n, price: 1_085_010n },
    { time: at + 30_500n, price: 1_085_010n },
  ]);
  await world.settlement.settleNow();
  await waitUntil("the settled order", () => orders.length === 2);
  expect(orders[0]).toBe(orders[1]);
  expect(accounts).toContain(memberId);
  const seqs = ticks.filter(({ symbol }) => symbol === "EURUSD").map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, place) => (seqs[0] ?? 0n) + BigInt(place)));

  await nats.start();
  await waitUntil("NATS again", () => isConnected, 20_000);
  // Each was sent once, though it was found repeatedly.
  expect(orders).toHaveLength(2);
});

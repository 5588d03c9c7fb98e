import { connect } from "@nats-io/transport-node";
import { waitUntil } from "@fairtick/testkit";
import { startNats, type TestNats } from "@fairtick/testkit/nats";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { natsChannel } from "./bus-nats.ts";
import { type Bus, type BusChannel, createBus } from "./bus.ts";
import { createLog } from "./log.ts";

const log = createLog("test", "silent");
let nats: TestNats;
let ends: Machine[];

interface Machine {
  readonly bus: Bus;
  readonly channel: BusChannel;
  readonly orders: bigint[];
  readonly versions: number[];
  readonly connected: boolean[];
}

async function openMachine(): Promise<Machine> {
  const channel = await natsChannel(nats.url, log);
  const bus = createBus(() => undefined, channel);
  const machine: Machine = { bus, channel, orders: [], versions: [], connected: [] };
  bus.subscribe("orders", ({ orderIds }) => machine.orders.push(...orderIds));
  bus.subscribe("configChanged", ({ version }) => machine.versions.push(version));
  bus.watch((isConnected) => machine.connected.push(isConnected));
  return machine;
}

beforeAll(async () => {
  nats = await startNats();
});
beforeEach(async () => {
  ends = [await openMachine(), await openMachine()];
});
afterEach(async () => {
  for (const { channel } of ends) await channel.close();
});
afterAll(() => nats.end());

const [here, there] = [() => ends[0] as Machine, () => ends[1] as Machine];
/** Publishes until the other side hears it: a subscription that is only being set up misses earlier messages. */
const hears = (version: number) =>
  waitUntil("the event", () => {
    here().bus.publish("configChanged", { version });
    return there().versions.includes(version);
  });
const isLost = (machine: Machine) => waitUntil("the loss", () => machine.connected.at(-1) === false, 20_000);
const isBack = (machine: Machine) => waitUntil("NATS again", () => machine.connected.at(-1) === true, 20_000);

describe("the bus over NATS", () => {
  it("reports when NATS is gone, reconnects automatically and delivers what was published meanwhile", async () => {
    await hears(1);
    await nats.end();
    await Promise.all([isLost(here()), isLost(there())]);
    for (let id = 1n; id <= 20n; id += 1n) {
      here().bus.publish("orders", { members: [7n], orderIds: [id] });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await nats.start();
    await Promise.all([isBack(here()), isBack(there())]);
    await waitUntil("what was published meanwhile", () => new Set(there().orders).size >= 20);
    expect([...new Set(there().orders)]).toEqual(Array.from({ length: 20 }, (_, place) => BigInt(place + 1)));
    await hears(2);
    expect(there().connected).toEqual([true, false, true]);
  });

  it("keeps working after a message that isn't one of its own", async () => {
    const stranger = await connect({ servers: nats.url.replace("nats://", "") });
    stranger.publish("fairtick.bus", "not json");
    stranger.publish("fairtick.bus", "");
    await stranger.drain();
    await hears(5);
    expect(there().connected).toEqual([true]);
  });

  it("notices within seconds that NATS is silent although the connection is still open", async () => {
    await hears(3);
    nats.pause();
    await isLost(there());
    nats.resume();
    await Promise.all([isBack(here()), isBack(there())]);
    await hears(4);
    expect(there().versions).toContain(4);
  });
});

import type { Instant } from "@fairtick/domain";
import { startSettlement } from "@fairtick/server/features/settlement";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { startBenchServer } from "./bench-server.ts";
import { DURATION_SECONDS, EXPIRING_SYMBOL, loadOldOrders, loadRunningOrders } from "./load-orders.ts";
import { openOrderWorld, type OrderWorld } from "./order-world.ts";
import { median, spread } from "./pairs.ts";

const MEMBERS = 10_000;
const ORDERS = 100_000;
const OLD_ORDERS = { quick: 200_000, full: 5_000_000 };

/** Measures orders that expire at one instant: from the seal that decides them to the last one's announcement. */
export const settlement: Benchmark = { name: "settlement", run };

interface Round {
  readonly lastMs: number;
  readonly firstMs: number;
}

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const rounds = quick ? 2 : pairs;
  const oldOrders = quick ? OLD_ORDERS.quick : OLD_ORDERS.full;
  const server = await startBenchServer();
  try {
    say(JSON.stringify(server.settings));
    const world = await openOrderWorld(server, MEMBERS);
    try {
      const without: Round[] = [];
      // The first round fills caches and plans and isn't counted.
      for (let round = 0; round <= rounds; round += 1) without.push(await settleAll(world, say));
      say(`${oldOrders.toLocaleString("en")} settled orders of the last days are being loaded`);
      await loadOldOrders(server.admin, world.members, oldOrders);
      const among: Round[] = [];
      for (let round = 0; round <= rounds; round += 1) among.push(await settleAll(world, say));
      const last = without.slice(1).map(({ lastMs }) => lastMs);
      const first = without.slice(1).map(({ firstMs }) => firstMs);
      const lastAmong = among.slice(1).map(({ lastMs }) => lastMs);
      return {
        settings: { postgres: server.settings, members: MEMBERS, orders: ORDERS, oldOrders, workers: 2, rounds },
        figures: [
          {
            name: "100,000 orders expiring at once: the last announced",
            value: median(last) / 1_000,
            unit: "s",
            atMost: 3,
            noise: `${spread(last)} ms`,
          },
          {
            name: "100,000 orders expiring at once: the first announced",
            value: median(first),
            unit: "ms",
            atMost: 150,
            noise: spread(first),
          },
          {
            name: `the same among ${oldOrders.toLocaleString("en")} settled orders`,
            value: median(lastAmong) / median(last),
            unit: "×",
            atMost: 1.15,
            baseline: `${(median(lastAmong) / 1_000).toFixed(2)} s against ${(median(last) / 1_000).toFixed(2)} s`,
            noise: `${spread(lastAmong)} ms`,
          },
        ],
      };
    } finally {
      await world.close();
    }
  } finally {
    await server.stop();
  }
}

/** Runs one round: running orders, then the ticks and the seal that end them all, measured from the seal's event. */
async function settleAll(world: OrderWorld, say: (line: string) => void): Promise<Round> {
  const { build, context, configs } = world;
  const acceptedAt = await loadRunningOrders(build.client, world.members, ORDERS);
  await build.client.query("VACUUM ANALYZE open_groups, orders, members_money, settlements");
  await build.client.query("CHECKPOINT");
  const settling = startSettlement({
    database: context.databases.settlement,
    bus: context.bus,
    log: context.log,
    configs,
    firstStripe: 100,
  });
  await settling.settleNow();
  let settled = 0;
  let firstAt = 0;
  const done = Promise.withResolvers<number>();
  const stop = context.bus.subscribe("orders", ({ orderIds }) => {
    if (settled === 0) firstAt = performance.now();
    settled += orderIds.length;
    if (settled >= ORDERS) done.resolve(performance.now());
  });
  try {
    // The entry one tick after the acceptance, then a tick every second, with the exit exactly at the expiry.
    const entryAt = acceptedAt + 1n;
    const ticks = Array.from({ length: DURATION_SECONDS + 1 }, (_, second) => ({
      time: entryAt + BigInt(second) * 1_000n,
      price: 1_085_000n + BigInt((second * 7) % 13),
    }));
    await build.feedTicks(EXPIRING_SYMBOL, ticks);
    const time = (entryAt + BigInt(DURATION_SECONDS) * 1_000n) as Instant;
    const begun = performance.now();
    context.bus.publish("seals", { sealedThrough: [{ symbol: EXPIRING_SYMBOL, time }] });
    const round = { lastMs: (await done.promise) - begun, firstMs: firstAt - begun };
    await settling.settleNow();
    const { rows } = await build.client.query<{ open: string }>("SELECT count(*) AS open FROM open_orders");
    if (settled !== ORDERS || rows[0]?.open !== "0") throw new Error(`${settled} settled, ${rows[0]?.open} left open`);
    say(`${settled} settled in ${round.lastMs.toFixed(0)} ms, the first after ${round.firstMs.toFixed(0)} ms`);
    return round;
  } finally {
    stop();
    await settling.close();
  }
}

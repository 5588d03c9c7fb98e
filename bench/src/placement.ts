import type { MemberId, MicroUsd, OrderPayload } from "@fairtick/domain";
import {
  type Acceptance,
  createAcceptanceSwitch,
  openAcceptance,
  type PlaceOutcome,
} from "@fairtick/server/features/orders";
import { openRegionBook } from "@fairtick/server/features/regions";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { startMarketProcess } from "./market-process.ts";
import { nextClientId, openOrderWorld } from "./order-world.ts";
import { measurePairs, median, quantile, spread } from "./pairs.ts";
import { preparePgbench } from "./pgbench.ts";
import { ownCpuUs, postgresCpuUs } from "./processor-time.ts";

const CALLERS = 256;
const SYMBOLS = ["EURUSD", "GBPUSD", "USDJPY", "XAUUSD", "BTCUSD", "ETHUSD"];

/**
 * Measures orders placed in process through the collector, compared with `pgbench -N -M prepared` on the same server.
 */
export const placement: Benchmark = { name: "placement", run };

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const seconds = quick ? 2 : 5;
  const server = await startBenchServer();
  try {
    say(JSON.stringify(server.settings));
    const pgbench = await preparePgbench(server.baselineUrl, quick ? 10 : 50);
    const world = await openOrderWorld(server, CALLERS);
    const market = await startMarketProcess(server);
    const acceptance = await openAcceptance(world.context, {
      configs: world.configs,
      acceptance: createAcceptanceSwitch(),
      regions: openRegionBook(world.context),
    });
    try {
      await placeFor(acceptance, world.members, 1.5);
      await server.checkpoint();
      const baselineCpu: number[] = [];
      const figures = await measurePairs(
        pairs,
        async () => {
          const before = postgresCpuUs(server.pid);
          const perSecond = await pgbench.measure(seconds);
          baselineCpu.push((postgresCpuUs(server.pid) - before) / (perSecond * seconds));
          return perSecond;
        },
        async () => {
          const placed = await placeFor(acceptance, world.members, seconds);
          return placed.orders / placed.seconds;
        },
      );
      const { cpu, wal } = await measureAlone(server, pairs, () => placeFor(acceptance, world.members, seconds));
      const half = median(figures.subject) / 2;
      const latencies = await placeAtRate(acceptance, world.members, half, seconds);
      const totals = cpu.map(({ postgres, node }) => postgres + node);
      return {
        settings: { postgres: server.settings, callers: CALLERS, lanes: 2, pgbenchClients: pgbench.clients, seconds },
        figures: [
          {
            name: "orders placed per second, in process / pgbench -N",
            value: median(figures.ratios),
            unit: "×",
            atLeast: 1.8,
            baseline: `${Math.round(median(figures.subject))}/s against ${Math.round(median(figures.baseline))}/s (${pgbench.clients} clients)`,
            noise: `${spread(figures.ratios)}; pgbench ${spread(figures.baseline)}`,
          },
          {
            name: "processor time per accepted order, PostgreSQL + Node",
            value: median(totals),
            unit: "µs",
            atMost: 40,
            baseline: `PostgreSQL ${median(cpu.map(({ postgres }) => postgres)).toFixed(1)}, Node ${median(cpu.map(({ node }) => node)).toFixed(1)}; a transaction of pgbench takes PostgreSQL ${median(baselineCpu).toFixed(0)}`,
            noise: spread(totals),
          },
          {
            name: "write-ahead log per accepted order",
            value: median(wal),
            unit: "B",
            atMost: 1_000,
            noise: spread(wal),
          },
          {
            name: "p99 of an accepted order at half that load",
            value: quantile(latencies, 0.99),
            unit: "ms",
            atMost: 20,
            baseline: `p50 ${quantile(latencies, 0.5).toFixed(1)} ms at ${Math.round(half)}/s`,
          },
        ],
      };
    } finally {
      await acceptance.close();
      await market.stop();
      await world.close();
    }
  } finally {
    await server.stop();
  }
}

interface Costs {
  /** µs of processor time per order. */
  readonly cpu: readonly { readonly postgres: number; readonly node: number }[];
  /** Bytes of write-ahead log per order. */
  readonly wal: readonly number[];
}

/** Measures rounds without the baseline in between. Whatever the baseline left to be written is flushed before. */
async function measureAlone(
  server: BenchServer,
  rounds: number,
  place: () => ReturnType<typeof placeFor>,
): Promise<Costs> {
  await server.checkpoint();
  const costs = { cpu: [] as { postgres: number; node: number }[], wal: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const before = { postgres: postgresCpuUs(server.pid), node: ownCpuUs(), wal: await server.walBytes() };
    const { orders } = await place();
    costs.cpu.push({
      postgres: (postgresCpuUs(server.pid) - before.postgres) / orders,
      node: (ownCpuUs() - before.node) / orders,
    });
    costs.wal.push(Number((await server.walBytes()) - before.wal) / orders);
  }
  return costs;
}

let placedIds = 0;

function placeOne(acceptance: Acceptance, memberId: MemberId): Promise<PlaceOutcome> {
  placedIds += 1;
  const payload: OrderPayload = {
    wallet: "practice",
    symbol: SYMBOLS[placedIds % SYMBOLS.length] ?? "EURUSD",
    direction: placedIds % 2 === 0 ? "up" : "down",
    sealed: null,
    stake: 1_000_000n as MicroUsd,
    // Long enough that no order expires while others are placed.
    durationSeconds: 3600,
    limitPrice: null,
    payoutRate: null,
    fee: null,
  };
  return acceptance.collector.place({
    memberId,
    clientOrderId: nextClientId(),
    payload,
    isSigned: false,
  });
}

function expectAccepted(outcome: PlaceOutcome): void {
  if (outcome.kind !== "accepted") throw new Error(`an order was not accepted: ${JSON.stringify(outcome)}`);
}

/** Lets each member place one order after another, all members in parallel. */
export async function placeFor(
  acceptance: Acceptance,
  members: readonly MemberId[],
  seconds: number,
): Promise<{ orders: number; seconds: number }> {
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  let orders = 0;
  await Promise.all(
    members.map(async (memberId) => {
      while (performance.now() < end) {
        expectAccepted(await placeOne(acceptance, memberId));
        orders += 1;
      }
    }),
  );
  return { orders, seconds: (performance.now() - begun) / 1_000 };
}

/** Places orders at a given rate, whether or not earlier ones were answered; returns their latencies in ms. */
async function placeAtRate(
  acceptance: Acceptance,
  members: readonly MemberId[],
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const latencies: number[] = [];
  const running: Promise<void>[] = [];
  const begun = performance.now();
  let sent = 0;
  while (performance.now() - begun < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond);
    for (; sent < due; sent += 1) {
      const memberId = members[sent % members.length];
      if (memberId === undefined) break;
      // Measure from when the order was due, so that a late loop doesn't make responses look faster.
      const dueAt = begun + (sent / perSecond) * 1_000;
      running.push(
        placeOne(acceptance, memberId).then((outcome) => {
          expectAccepted(outcome);
          latencies.push(performance.now() - dueAt);
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  return latencies;
}

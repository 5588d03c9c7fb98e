import { type Acceptance, createAcceptanceSwitch, openAcceptance } from "@fairtick/server/features/orders";
import { openRegionBook } from "@fairtick/server/features/regions";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { startBenchServer } from "./bench-server.ts";
import { startMarketProcess } from "./market-process.ts";
import { openOrderWorld, type OrderWorld } from "./order-world.ts";
import { median, spread } from "./pairs.ts";
import { preparePgbench } from "./pgbench.ts";
import { placeFor } from "./placement.ts";
import { addBenchDevices, type BenchDevice, type BenchHead, makeUncheckedWish, readHead } from "./sealed-wishes.ts";

const CALLERS = 256;
const SYMBOLS = ["EURUSD", "GBPUSD", "USDJPY", "XAUUSD", "BTCUSD", "ETHUSD"];
/** Long enough that no order expires while others are placed. */
const DURATION = 3600;
const HEAD_EVERY_MS = 500;

/**
 * Measures sealed and open orders in the same run, placed in process through the collector, each after pgbench on the
 * same server. The cost of checking a device's signature is part of `sealed-life`, because it happens outside the
 * placing thread.
 */
export const sealedPlacement: Benchmark = { name: "sealed-placement", run };

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
      const devices = await addBenchDevices(world);
      await placeFor(acceptance, world.members, 1);
      await placeSealedFor(world, acceptance, devices, 1);
      await server.checkpoint();
      const rounds: { base: number; open: number; sealed: number; wal: number }[] = [];
      for (let round = 0; round < pairs; round += 1) {
        const base = await pgbench.measure(seconds);
        const open = await placeFor(acceptance, world.members, seconds);
        const before = await server.walBytes();
        const sealed = await placeSealedFor(world, acceptance, devices, seconds);
        const wal = Number((await server.walBytes()) - before) / sealed.orders;
        rounds.push({ base, open: open.orders / open.seconds, sealed: sealed.orders / sealed.seconds, wal });
      }
      const perSecond = (name: "base" | "open" | "sealed") => Math.round(median(rounds.map((round) => round[name])));
      const ratios = rounds.map(({ base, sealed }) => sealed / base);
      const beside = rounds.map(({ open, sealed }) => sealed / open);
      return {
        settings: { postgres: server.settings, callers: CALLERS, lanes: 2, pgbenchClients: pgbench.clients, seconds },
        figures: [
          {
            name: "sealed orders placed per second, in process / pgbench -N",
            value: median(ratios),
            unit: "×",
            atLeast: 3,
            baseline: `${perSecond("sealed")}/s against ${perSecond("base")}/s (${pgbench.clients} clients)`,
            noise: spread(ratios),
          },
          {
            name: "sealed orders placed per second / open ones in the same run",
            value: median(beside),
            unit: "×",
            baseline: `${perSecond("sealed")}/s against ${perSecond("open")}/s`,
            noise: spread(beside),
          },
          {
            name: "write-ahead log per sealed order, placement alone",
            value: median(rounds.map(({ wal }) => wal)),
            unit: "B",
            noise: spread(rounds.map(({ wal }) => wal)),
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

/** Lets each member place one sealed order after another, all members in parallel, each naming the newest head. */
async function placeSealedFor(
  world: OrderWorld,
  acceptance: Acceptance,
  devices: readonly BenchDevice[],
  seconds: number,
): Promise<{ orders: number; seconds: number }> {
  let head: BenchHead = await readHead(world);
  const reading = setInterval(() => {
    void readHead(world).then((newest) => {
      head = newest;
    });
  }, HEAD_EVERY_MS);
  const begun = performance.now();
  let orders = 0;
  try {
    await Promise.all(
      devices.map(async (device) => {
        while (performance.now() - begun < seconds * 1_000) {
          const symbol = SYMBOLS[orders % SYMBOLS.length] ?? "EURUSD";
          const wish = makeUncheckedWish(world, device, head, { symbol, duration: DURATION });
          const outcome = await acceptance.collector.place({ ...wish, isSigned: true });
          if (outcome.kind !== "accepted")
            throw new Error(`a sealed order was not accepted: ${JSON.stringify(outcome)}`);
          orders += 1;
        }
      }),
    );
  } finally {
    clearInterval(reading);
  }
  return { orders, seconds: (performance.now() - begun) / 1_000 };
}

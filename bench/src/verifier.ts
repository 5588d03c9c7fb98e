import { FIRST_SM1_PARAMS } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { portableHashes, verifyLog } from "@fairtick/transparency";
import { makeWorld, POLICY } from "@fairtick/transparency/testing";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { median, spread } from "./pairs.ts";
import { ownCpuUs } from "./processor-time.ts";

const ORDERS = { quick: 12_000, full: 60_000 };
const PER_BATCH = 300;
/** Orders are accepted over almost six minutes, so that the longest one ends within the epoch's ten minutes. */
const ACCEPTED_FOR_MS = 345_000;
const DURATIONS = [30, 60, 120, 180];

/** Verifies a log of one epoch of all instruments on one core: recomputes every price and decides every order again. */
export const verifier: Benchmark = { name: "verifier", run };

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const count = quick ? ORDERS.quick : ORDERS.full;
  const symbols = FIRST_SM1_PARAMS.map((params) => params.symbol);
  const batches = count / PER_BATCH;
  const orders = Array.from({ length: count }, (_, number) => ({
    at: 5_130n + BigInt(Math.floor((Math.floor(number / PER_BATCH) * ACCEPTED_FOR_MS) / batches)),
    symbol: symbols[number % symbols.length] ?? "EURUSD",
    direction: number % 3 === 0 ? ("down" as const) : ("up" as const),
    durationSeconds: DURATIONS[number % DURATIONS.length] ?? 60,
  }));
  const world = await makeWorld(nodeHashes, orders, { symbols, ordersPerBatch: PER_BATCH });
  say(`a log of ${world.size} entries with ${count.toLocaleString("en")} orders`);

  async function perSecond(hashes: typeof nodeHashes): Promise<number> {
    const before = ownCpuUs();
    const report = await verifyLog(hashes, world, POLICY);
    const used = ownCpuUs() - before;
    const faults = report.findings.filter((finding) => finding.grade === "fault");
    if (report.settled !== count || faults.length > 0) throw new Error(`the log was not verified: ${faults[0]?.what}`);
    return (report.settled * 1_000_000) / used;
  }

  const [native, portable]: [number[], number[]] = [[], []];
  for (let round = 0; round <= pairs; round += 1) {
    native.push(await perSecond(nodeHashes));
    portable.push(await perSecond(portableHashes));
  }
  // The first round fills caches and isn't counted.
  const figure = (name: string, values: readonly number[]) => ({
    name,
    value: median(values.slice(1)),
    unit: "orders/s",
    atLeast: 20_000,
    noise: spread(values.slice(1)),
  });
  return {
    settings: { orders: count, entries: world.size, rounds: pairs },
    figures: [
      figure("verifying a log, for each second of one core", native),
      figure("the same in plain JavaScript, as in a browser", portable),
    ],
  };
}

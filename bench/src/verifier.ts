import { FIRST_SM1_PARAMS, type Points } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { portableHashes, verifyLog } from "@fairtick/transparency";
import { makeWorld, POLICY, type World } from "@fairtick/transparency/testing";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { median, spread } from "./pairs.ts";
import { ownCpuUs } from "./processor-time.ts";
import type { Figure } from "./report.ts";

const ORDERS = { quick: 12_000, full: 60_000 };
/** Orders are accepted over almost six minutes, so that the longest one ends within the epoch's ten minutes. */
const ACCEPTED_FOR_MS = 345_000;
const DURATIONS = [30, 60, 120, 180];
const SYMBOLS = FIRST_SM1_PARAMS.map((params) => params.symbol);
const FAR_ABOVE = 1_000_000_000_000n as Points;

type TestOrder = Parameters<typeof makeWorld>[1][number];

interface LogMade {
  readonly what: string;
  readonly perBatch: number;
  /** What makes the order of that number different from an open one without a limit price. */
  readonly agreed: (number: number) => Partial<TestOrder>;
}

/** The app seals every order; a few come from clients of the API that don't, and a few are never opened. */
const agreedByMix = (number: number): Partial<TestOrder> => {
  if (number % 50 === 0) return {};
  const limit = number % 10 === 1 ? { direction: "up" as const, limitPrice: FAR_ABOVE } : {};
  return { ...limit, sealed: number % 500 === 7 ? "never" : "revealed" };
};

const OPEN: LogMade = { what: "open orders", perBatch: 300, agreed: () => ({}) };
const SEALED: readonly LogMade[] = [
  { what: "sealed orders in full batches", perBatch: 300, agreed: agreedByMix },
  // A house with few orders at once writes small batches, each as an entry of its own.
  { what: "sealed orders in batches of two", perBatch: 2, agreed: agreedByMix },
];

/** Verifies a log of one epoch of all instruments on one core: recomputes every price and decides every order again. */
export const verifier: Benchmark = {
  name: "verifier",
  run: async (options) => {
    const { figures, entries } = await measure(OPEN, options);
    return { settings: settingsOf(options, [entries]), figures };
  },
};

/** Does the same with the orders that the product writes: nearly all of them are sealed, and opened when they settle. */
export const sealedVerifier: Benchmark = {
  name: "sealed-verifier",
  run: async (options): Promise<BenchmarkResult> => {
    const measured = [];
    for (const log of SEALED) measured.push(await measure(log, options));
    return {
      settings: settingsOf(
        options,
        measured.map(({ entries }) => entries),
      ),
      figures: measured.flatMap(({ figures }) => figures),
    };
  },
};

function settingsOf({ quick, pairs }: BenchmarkOptions, entries: readonly number[]): Readonly<Record<string, unknown>> {
  return { orders: countOf(quick), entries, rounds: pairs };
}

function countOf(quick: boolean): number {
  return quick ? ORDERS.quick : ORDERS.full;
}

async function measure(
  log: LogMade,
  { quick, pairs, say }: BenchmarkOptions,
): Promise<{ readonly figures: Figure[]; readonly entries: number }> {
  const count = countOf(quick);
  const world = await makeLog(log, count);
  say(`a log of ${world.size} entries with ${count.toLocaleString("en")} ${log.what}`);
  const [native, portable]: [number[], number[]] = [[], []];
  for (let round = 0; round <= pairs; round += 1) {
    native.push(await perSecond(nodeHashes, world, count));
    portable.push(await perSecond(portableHashes, world, count));
  }
  // The first round fills caches and isn't counted.
  const figure = (name: string, values: readonly number[]) => ({
    name,
    value: median(values.slice(1)),
    unit: "orders/s",
    atLeast: 20_000,
    noise: spread(values.slice(1)),
  });
  const figures = [
    figure(`verifying a log of ${log.what}, for each second of one core`, native),
    figure("the same in plain JavaScript, as in a browser", portable),
  ];
  return { figures, entries: world.size };
}

async function makeLog({ perBatch, agreed }: LogMade, count: number): Promise<World> {
  const batches = count / perBatch;
  const orders = Array.from({ length: count }, (_, number) => ({
    at: 5_130n + BigInt(Math.floor((Math.floor(number / perBatch) * ACCEPTED_FOR_MS) / batches)),
    symbol: SYMBOLS[number % SYMBOLS.length] ?? "EURUSD",
    direction: number % 3 === 0 ? ("down" as const) : ("up" as const),
    durationSeconds: DURATIONS[number % DURATIONS.length] ?? 60,
    ...agreed(number),
  }));
  return makeWorld(nodeHashes, orders, { symbols: SYMBOLS, ordersPerBatch: perBatch });
}

/** Returns how many orders are verified in a second of processor time. Throws if the log has a fault. */
async function perSecond(hashes: typeof nodeHashes, world: World, count: number): Promise<number> {
  const before = ownCpuUs();
  const report = await verifyLog(hashes, world, POLICY);
  const used = ownCpuUs() - before;
  const faults = report.findings.filter((finding) => finding.grade === "fault");
  if (report.settled !== count || faults.length > 0) throw new Error(`the log was not verified: ${faults[0]?.what}`);
  return (report.settled * 1_000_000) / used;
}

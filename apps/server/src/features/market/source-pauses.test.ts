import type { Instant, Points } from "@fairtick/domain";
import { expect, it } from "vitest";
import { createLocalBus } from "../../platform/bus.ts";
import { createTestContext } from "../../platform/test-context.ts";
import {
  ensureTickPartitions,
  type InstrumentClock,
  StaleWriterError,
  storeGenesis,
  takeMarket,
} from "./market-rows.ts";
import { createMarketWriter } from "./market-writer.ts";
import { pauseOfTerms, watchSourcePauses } from "./source-pauses.ts";
import type { TickSource } from "./sources/source.ts";

const WHY_STILL = "0 of 1 sources that are needed counted; silent: kraken";
const sources = [
  { symbols: ["EURUSD"], madeBy: () => "SM1" },
  { symbols: ["BTCUSD"], madeBy: () => "kraken", whyStill: () => WHY_STILL },
] as unknown as TickSource[];

const at = (time: bigint) => time as Instant;

function clocks(time: bigint, seq = 1n): ReadonlyMap<string, InstrumentClock> {
  const one = { seq, time: at(time), price: 1n as Points, sealedThrough: at(time) };
  return new Map(["EURUSD", "BTCUSD"].map((symbol) => [symbol, { symbol, ...one } as InstrumentClock]));
}
const ticks = (...times: bigint[]) =>
  times.flatMap((time) => ["EURUSD", "BTCUSD"].map((symbol) => ({ symbol, time: at(time) })));

it("reports, with the reason, an outside source that was silent for long enough to void orders", () => {
  const pauses = watchSourcePauses(
    sources,
    () => true,
    () => 30_000n,
  );
  expect(pauses.endedBy(ticks(1_000n), clocks(0n, 0n), at(1_500n))).toEqual([]);
  expect(pauses.endedBy(ticks(31_000n), clocks(1_000n), at(31_500n))).toEqual([]);
  const [told, ...more] = pauses.endedBy(ticks(61_001n, 62_000n), clocks(31_000n), at(62_500n));
  expect(told).toMatchObject({ at: 62_500n, from: 31_000n, to: 61_001n, part: "source", symbol: "BTCUSD" });
  expect(told?.reason).toBe(WHY_STILL);
  expect(more).toEqual([]);
});

it("reports each silence that one slot ends", () => {
  const pauses = watchSourcePauses(sources);
  expect(pauses.endedBy(ticks(20_000n, 21_000n, 40_000n), clocks(1_000n), at(40_000n))).toMatchObject([
    { from: 1_000n, to: 20_000n },
    { from: 21_000n, to: 40_000n },
  ]);
});

it("takes the limit from the instrument's terms, ten seconds at most", () => {
  expect([5_000n, 15_000n, undefined].map(pauseOfTerms)).toEqual([5_000n, 10_000n, 10_000n]);
  const pauses = watchSourcePauses(
    sources,
    () => true,
    () => 5_000n,
  );
  expect(pauses.endedBy(ticks(6_000n), clocks(1_000n), at(6_500n))).toEqual([]);
  expect(pauses.endedBy(ticks(11_001n), clocks(6_000n), at(11_500n))).toMatchObject([{ from: 6_000n, to: 11_001n }]);
});

it("reports nothing for the time that the market was closed", () => {
  const pauses = watchSourcePauses(sources, (_symbol, _from, to) => to <= 1_500n);
  expect(pauses.endedBy(ticks(172_800_000n), clocks(1_000n), at(172_800_500n))).toEqual([]);
});

it("reports a silence that was cut short by the end of its market's hours", () => {
  const closesAt = 20_000n;
  const pauses = watchSourcePauses(sources, (_symbol, _from, to) => to <= closesAt);
  expect(pauses.endedBy(ticks(172_800_000n), clocks(9_000n), at(172_800_500n))).toMatchObject([
    { from: 9_000n, to: 172_800_000n },
  ]);
});

it("reports a silence that began before this market wrote, and says so", () => {
  const pauses = watchSourcePauses(sources);
  pauses.resume(clocks(9_000n));
  const [told] = pauses.endedBy(ticks(61_000n), clocks(9_000n), at(61_500n));
  expect(told).toMatchObject({ from: 9_000n, to: 61_000n, symbol: "BTCUSD" });
  expect(told?.reason).toBe(`the market began to write anew; ${WHY_STILL}`);
});

it("stores the price that ends a silence and the report about it together, or neither", async () => {
  const context = await createTestContext();
  const database = context.databases.market;
  const epoch = (await takeMarket(database, 0))!;
  const from = at(1_767_225_600_000n);
  await ensureTickPartitions(database, from, from);
  await storeGenesis(database, epoch, [
    { symbol: "BTCUSD", candles: [], longCandles: [], ticks: [], sealedThrough: at(from - 1n) },
  ]);
  let due = from;
  const source = {
    symbols: ["BTCUSD"],
    madeBy: () => "kraken",
    whyStill: () => WHY_STILL,
    resume: () => undefined,
    stored: () => undefined,
    next: () => ({
      ticks: [{ symbol: "BTCUSD", time: due, price: 100n as Points }],
      seals: [{ symbol: "BTCUSD", time: due }],
    }),
  } as unknown as TickSource;
  const bus = createLocalBus((error) => {
    throw error;
  });
  const writer = createMarketWriter({
    database,
    bus,
    now: () => due,
    epoch,
    sources: [source],
    pauses: watchSourcePauses([source]),
  });
  const stored = async () => {
    const { reader } = context.databases;
    const [row] = await reader.query<{ ticks: bigint; words: bigint }>(
      `SELECT (SELECT count(*) FROM ticks WHERE symbol = 'BTCUSD') AS ticks,
         (SELECT count(*) FROM outbox WHERE kind = 'incident') AS words`,
    );
    return [Number(row?.ticks), Number(row?.words)];
  };

  await writer.resume();
  expect(await writer.writeSlot()).toBe(true);
  expect(await stored()).toEqual([1, 0]);
  due = at(from + 20_000n);
  expect(await writer.writeSlot()).toBe(true);
  expect(await stored()).toEqual([2, 1]);

  await takeMarket(database, 0);
  due = at(from + 40_000n);
  await expect(writer.writeSlot()).rejects.toThrow(StaleWriterError);
  expect(await stored()).toEqual([2, 1]);
  await context.close();
});

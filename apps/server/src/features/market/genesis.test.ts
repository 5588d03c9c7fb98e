import {
  type Candle,
  CANDLE_INTERVALS,
  type CandleInterval,
  FIRST_SM1_PARAMS,
  firstTradingConfig,
  type Instant,
  LAST_TICK_AGE_MAX_MS,
  mergeCandles,
} from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { historyFrom, makeHistory, noHistory } from "./genesis.ts";
import { listCandles } from "./list-candles.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import { ensureTickPartitions, storeGenesis, storeSlot, takeMarket } from "./market-rows.ts";
import { storeCandles } from "./store-candles.ts";

const INTERVALS = Object.keys(CANDLE_INTERVALS) as CandleInterval[];
const MINUTE = CANDLE_INTERVALS["1m"];
/** 2026-03-05 01:17:12.345 UTC, shortly after a midnight, so that the minutes reach back over another one. */
const OPENING = 1_772_673_432_345n as Instant;
const FIRST_TICK = (OPENING + 155n) as Instant;
const EURO = FIRST_SM1_PARAMS.find(({ symbol }) => symbol === "EURUSD")!;
let context: TestContext;

beforeAll(async () => {
  context = await createTestContext();
  const { market, jobs } = context.databases;
  const epoch = (await takeMarket(market, 0)) ?? 0n;
  await ensureTickPartitions(market, historyFrom(OPENING), OPENING);
  const made = makeHistory(EURO, OPENING);
  await storeGenesis(market, epoch, [made, noHistory("BTCUSD", OPENING)]);
  // The market runs for five minutes.
  let seq = BigInt(made.ticks.length);
  for (let time = FIRST_TICK; time < FIRST_TICK + 5n * MINUTE; time = (time + 30_000n) as Instant) {
    seq += 1n;
    await storeSlot(
      market,
      epoch,
      [{ symbol: "EURUSD", seq, time, price: EURO.anchor, late: false }],
      [{ symbol: "EURUSD", time }],
    );
    await storeCandles(jobs);
  }
});
afterAll(() => context.close());

const ask = (interval: CandleInterval): Promise<Candle[]> =>
  listCandles(context.databases.reader, { symbol: "EURUSD", interval, limit: 2_000 });

describe("the past of a simulated instrument", () => {
  it.each(INTERVALS)("has 500 candles of %s from the start, none missing", async (interval) => {
    const length = CANDLE_INTERVALS[interval];
    const candles = (await ask(interval)).filter(({ time }) => time + length <= OPENING);
    expect(candles.length).toBeGreaterThanOrEqual(500);
    const steps = candles.slice(1).map(({ time }, index) => time - candles[index]!.time);
    const newest = interval === "1s" ? steps.slice(-500) : steps;
    expect(new Set(newest)).toEqual(new Set([length]));
  });

  it.each([
    ["5m", "15m"],
    ["15m", "1h"],
    ["1h", "1d"],
  ] as const)("has the same prices in %s and in %s", async (short, long) => {
    const [shorts, longs] = [await ask(short), await ask(long)];
    const length = CANDLE_INTERVALS[long];
    const whole = mergeCandles(shorts, long).filter(({ time }) => time >= shorts[0]!.time && time + length <= OPENING);
    expect(whole.length).toBeGreaterThan(10);
    expect(longs.filter(({ time }) => time >= whole[0]!.time && time + length <= OPENING)).toEqual(whole);
  });

  it.each(INTERVALS)("continues from candle to candle of %s, as prices do", async (interval) => {
    const candles = (await ask(interval)).filter(({ time }) => time < OPENING - 2n * MINUTE);
    for (const { open, high, low, close } of candles) {
      expect(low <= open && low <= close && high >= open && high >= close).toBe(true);
    }
    if (CANDLE_INTERVALS[interval] < MINUTE) return;
    // From ticks, a candle opens one tick after the one before has closed.
    const unticked = candles.filter(({ time }) => time < OPENING - 8_000_000n);
    for (const [index, { open }] of unticked.slice(1).entries()) expect(open).toBe(unticked[index]!.close);
  });

  it("stays within what the model allows over 500 days", async () => {
    const days = await ask("1d");
    for (const { high, low } of days) {
      expect(low * 4n > EURO.anchor && high < EURO.anchor * 4n).toBe(true);
    }
    expect(new Set(days.map(({ close }) => close)).size).toBeGreaterThan(400);
  });

  it("is marked in every row, and its last tick is stale at the opening", async () => {
    const rows = await context.databases.reader.query<{ wrong: bigint }>(
      `SELECT (SELECT count(*) FROM candles WHERE pre_genesis <> (time < $1))
         + (SELECT count(*) FROM long_candles WHERE pre_genesis <> (time < $1))
         + (SELECT count(*) FROM ticks WHERE pre_genesis <> (time < $1 - $2::bigint)) AS wrong`,
      [OPENING, LAST_TICK_AGE_MAX_MS],
    );
    expect(rows).toEqual([{ wrong: 0n }]);
  });

  it("is told to members as examples, up to the opening's minute", async () => {
    const lister = createInstrumentLister(context.databases.reader, "simulated");
    const listed = await lister.list(firstTradingConfig(OPENING), (OPENING + 5n * MINUTE) as Instant);
    const told = new Map(listed.map(({ terms, examplesUntil }) => [terms.symbol, examplesUntil]));
    const until = told.get("EURUSD")!;
    expect(until % MINUTE).toBe(0n);
    expect(until).toBeGreaterThan(OPENING - MINUTE);
    expect(until).toBeLessThanOrEqual(OPENING + MINUTE);
    expect(told.get("BTCUSD")).toBeNull();
  });
});

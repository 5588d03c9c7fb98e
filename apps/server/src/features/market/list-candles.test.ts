import {
  CANDLE_INTERVALS,
  type CandleInterval,
  candlesFromTicks,
  firstTradingConfig,
  type Instant,
  type Points,
} from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { listCandles } from "./list-candles.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import { openPriceArchive, readFolder } from "../price-archive/index.ts";
import { listTicks } from "./list-ticks.ts";
import { storeCandles } from "./store-candles.ts";
import { openTestTape, type TestPrice, type TestTape } from "./testing.ts";

const START = 1_767_225_600_000n; // 2026-01-01 00:00 UTC
const MINUTE = 60_000n;
let context: TestContext;
let tape: TestTape;
const played: TestPrice[] = [];

/** Makes prices 0.4 to 3 s apart, with twenty minutes without any in the middle. */
function makePrices(count: number): TestPrice[] {
  const prices: TestPrice[] = [];
  let time = START - 30n * MINUTE;
  let price = 1_085_000n;
  let random = 12_345;
  for (let index = 0; index < count; index += 1) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    time += 400n + BigInt(random % 2_600);
    if (index === count / 2) time += 20n * MINUTE;
    price += BigInt((random >> 8) % 41) - 20n;
    prices.push([time, price]);
  }
  return prices;
}

function naive(interval: CandleInterval, from: bigint, to: bigint) {
  const length = CANDLE_INTERVALS[interval];
  const ticks = played.map(([time, price]) => ({ time: time as Instant, price: price as Points }));
  return candlesFromTicks(ticks, interval).filter((candle) => candle.time > from - length && candle.time <= to);
}

beforeAll(async () => {
  context = await createTestContext();
  tape = await openTestTape(context.databases.market, ["EURUSD", "BTCUSD"], START - 86_400_000n);
  const prices = makePrices(1_600);
  // Some minutes are stored; then more ticks come that the job hasn't seen yet.
  await tape.play("EURUSD", prices.slice(0, 1_200));
  await storeCandles(context.databases.jobs);
  await tape.play("EURUSD", prices.slice(1_200));
  played.push(...prices);
});
afterAll(() => context.close());

describe("candles equal a plain recomputation from the ticks", () => {
  const last = () => played.at(-1)![0];

  it.each(["1s", "5s", "15s", "1m", "5m", "15m", "1h", "1d"] as const)(
    "%s, over a gap and unstored minutes",
    async (interval) => {
      const candles = await listCandles(context.databases.reader, { symbol: "EURUSD", interval, limit: 1_000 });
      expect(candles).toEqual(naive(interval, 0n, last()).slice(-1_000));
      expect(candles.length).toBeGreaterThan(1);
    },
  );

  it("for a span in the past, even if it ends in the gap", async () => {
    const from = played[300]![0];
    const to = played[799]![0] + 5n * MINUTE;
    for (const interval of ["5s", "1m", "5m"] as const) {
      const span = { symbol: "EURUSD", interval, from: from as Instant, to: to as Instant, limit: 1_000 };
      const candles = await listCandles(context.databases.reader, span);
      const inSpan = candlesFromTicks(
        played
          .filter(([time]) => time <= to)
          .map(([time, price]) => ({ time: time as Instant, price: price as Points })),
        interval,
      ).filter((candle) => candle.time + CANDLE_INTERVALS[interval] > from);
      expect(candles).toEqual(inSpan);
    }
  });

  it("and storing again, even after more seals, changes no stored minute", async () => {
    const before = await context.databases.jobs.query("SELECT * FROM candles ORDER BY time");
    await storeCandles(context.databases.jobs);
    await Promise.all([storeCandles(context.databases.jobs), storeCandles(context.databases.jobs)]);
    const after = await context.databases.jobs.query<{ time: bigint }>("SELECT * FROM candles ORDER BY time");
    expect(after.slice(0, before.length)).toEqual(before);
    const whole = naive("1m", 0n, last()).filter((candle) => candle.time + MINUTE - 1n <= last());
    expect(after.map((row) => row.time)).toEqual(whole.map((candle) => candle.time));
  });

  it("and are none for an instrument without ticks", async () => {
    expect(await listCandles(context.databases.reader, { symbol: "BTCUSD", interval: "1m", limit: 10 })).toEqual([]);
  });
});

describe("instruments", () => {
  it("count today's change from the last price at or before 00:00 UTC", async () => {
    const config = firstTradingConfig(START as Instant);
    const lister = createInstrumentLister(context.databases.reader, "simulated,BTCUSD=kraken");
    const now = played.at(-1)![0] as Instant;
    const views = await lister.list(config, now);
    const euro = views.find((view) => view.terms.symbol === "EURUSD")!;
    const dayOpen = played.findLast(([time]) => time <= START)![1];
    const [, price] = played.at(-1)!;
    expect(euro.dayOpen).toBe(dayOpen);
    expect(euro.newest?.price).toBe(price);
    const exact = (Number(price - dayOpen) / Number(dayOpen)) * 1e6;
    expect(Math.abs(Number(euro.changeToday) - exact)).toBeLessThanOrEqual(0.5);
    expect(euro.spark.at(-1)).toBe(price);
    expect(euro).toMatchObject({ open: true, nextChange: null, source: "simulated" });
    const bitcoin = views.find((view) => view.terms.symbol === "BTCUSD")!;
    expect(bitcoin).toMatchObject({ newest: null, dayOpen: null, changeToday: null, spark: [], source: "kraken" });
  });
});

describe("ticks", () => {
  it("are listed oldest first, including both ends of the span, up to the limit", async () => {
    const [from, to] = [played[10]![0] as Instant, played[20]![0] as Instant];
    const span = { symbol: "EURUSD", from, to, limit: 100 };
    const archive = openPriceArchive(context.databases.reader, readFolder(context.config.dataDir));
    const ticks = await listTicks(context.databases.reader, archive, span);
    expect(ticks.map((tick) => [tick.time, tick.price])).toEqual(played.slice(10, 21));
    expect(ticks.map((tick) => tick.seq)).toEqual(ticks.map((_tick, index) => BigInt(index + 11)));
    expect(await listTicks(context.databases.reader, archive, { ...span, limit: 3 })).toEqual(ticks.slice(0, 3));
  });
});

import {
  type Candle,
  CANDLE_INTERVALS,
  type CandleInterval,
  candlesFromTicks,
  DAY_MS,
  type Instant,
  type Points,
} from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { listCandles } from "./list-candles.ts";
import { ensureTickPartitions, storeGenesis, storeSlot, takeMarket } from "./market-rows.ts";
import { storeCandles } from "./store-candles.ts";

const START = 1_767_225_600_000n; // 2026-01-01 00:00 UTC
const DAYS = 540;
const PIECE = 500;
const INTERVALS = Object.keys(CANDLE_INTERVALS) as CandleInterval[];
let context: TestContext;
const played: { time: Instant; price: Points }[] = [];

/** Makes four moments for each day, at first leaving out weekends. The last hour has a price every 0.7 s. */
function makeTicks(): void {
  let price = 1_085_000n;
  const add = (time: bigint) => {
    price += ((time / 100n) % 41n) - 20n;
    played.push({ time: time as Instant, price: price as Points });
  };
  for (let day = 0n; day < BigInt(DAYS); day += 1n) {
    if (day % 7n >= 5n && day < 100n) continue;
    for (const part of [0n, 7_211_003n, 40_000_500n, DAY_MS - 1n]) add(START + day * DAY_MS + part);
  }
  const end = START + BigInt(DAYS) * DAY_MS;
  for (let time = end; time < end + 3_600_000n; time += 700n) add(time);
}

beforeAll(async () => {
  context = await createTestContext();
  const market = context.databases.market;
  makeTicks();
  const epoch = (await takeMarket(market, 0)) ?? 0n;
  // All at once, a busy machine takes longer than a statement may.
  for (let day = START; day < played.at(-1)!.time; day += 60n * DAY_MS) {
    await ensureTickPartitions(market, day as Instant, (day + 57n * DAY_MS) as Instant);
  }
  const sealedThrough = (START - 1n) as Instant;
  await storeGenesis(market, epoch, [{ symbol: "EURUSD", candles: [], longCandles: [], ticks: [], sealedThrough }]);
  const ticks = played.map((tick, index) => ({ ...tick, symbol: "EURUSD", seq: BigInt(index + 1), late: false }));
  for (let from = 0; from < ticks.length; from += 500) {
    const piece = ticks.slice(from, from + 500);
    await storeSlot(market, epoch, piece, [{ symbol: "EURUSD", time: piece.at(-1)!.time }]);
    // The newest ones have no stored candle yet, as between two rounds of the job.
    if (from + 1_000 < ticks.length) await storeCandles(context.databases.jobs);
  }
});
afterAll(() => context.close());

const ask = (interval: CandleInterval, to?: Instant, limit = PIECE): Promise<Candle[]> =>
  listCandles(context.databases.reader, { symbol: "EURUSD", interval, to, limit });

describe("history", () => {
  it.each(INTERVALS)("brings the newest 500 candles of %s, over every gap", async (interval) => {
    const candles = await ask(interval);
    expect(candles).toHaveLength(PIECE);
    expect(candles).toEqual(candlesFromTicks(played, interval).slice(-PIECE));
  });

  it.each(INTERVALS)("pages back to the first candle of %s without a hole or a repetition", async (interval) => {
    const paged: Candle[] = [];
    let to: Instant | undefined;
    for (;;) {
      const piece = await ask(interval, to, 300);
      if (piece.length === 0) break;
      paged.unshift(...piece);
      to = (piece[0]!.time - 1n) as Instant;
    }
    expect(paged).toEqual(candlesFromTicks(played, interval));
  });

  it("ends a long candle where it is asked to, however much of it is stored", async () => {
    const day = START + 300n * DAY_MS;
    const noon = (day + DAY_MS / 2n) as Instant;
    const before = played.filter(({ time }) => time <= noon);
    for (const interval of ["1h", "1d"] as const)
      expect(await ask(interval, noon, 3)).toEqual(candlesFromTicks(before, interval).slice(-3));
  });

  it("is stored once by any number of rounds, each interval as soon as a later minute is stored", async () => {
    const rows = () =>
      context.databases.reader.query<{ length: bigint; time: Instant }>(
        "SELECT length_ms AS length, time FROM long_candles ORDER BY length_ms, time",
      );
    await Promise.all([storeCandles(context.databases.jobs), storeCandles(context.databases.jobs)]);
    const stored = await rows();
    await storeCandles(context.databases.jobs);
    expect(await rows()).toEqual(stored);
    for (const interval of ["5m", "15m", "1h", "1d"] as const) {
      const length = CANDLE_INTERVALS[interval];
      const newestMinute = (played.at(-1)!.time + 1n) / 60_000n - 1n;
      const whole = candlesFromTicks(played, interval).filter(({ time }) => time + length <= newestMinute * 60_000n);
      const times = stored.filter((row) => row.length === length).map(({ time }) => time);
      expect(times).toEqual(whole.map(({ time }) => time));
    }
  });
});

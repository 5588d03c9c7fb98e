import type { Indicator, KLineData } from "klinecharts";
import { describe, expect, test } from "vitest";
import { averageTrueRange, heikinAshi, quickly, sessionExtremes } from "./candle-math.ts";

const bar = (timestamp: number, open: number, high: number, low: number, close: number): KLineData => ({
  timestamp,
  open,
  high,
  low,
  close,
});

/** Returns a price path that always moves and never repeats. */
const path = (count: number): KLineData[] =>
  Array.from({ length: count }, (_, at) => {
    const open = 100 + 10 * Math.sin(at / 7) + at / 50;
    const close = 100 + 10 * Math.sin((at + 1) / 7) + (at + 1) / 50;
    return bar(at * 1_000, open, Math.max(open, close) + 0.5, Math.min(open, close) - 0.3, close);
  });

describe("average true range", () => {
  // Three candles, by hand: ranges 2, 3 (from the previous close) and 4; Wilder: (2.5 × 1 + 4) / 2.
  test("starts as the mean of the first ranges and is smoothed by Wilder's rule", () => {
    const bars = [bar(0, 10, 11, 9, 10), bar(1, 12, 13, 11, 13), bar(2, 13, 15, 11, 12)];
    expect(averageTrueRange(bars, 2)).toEqual([null, 2.5, 3.25]);
  });
});

test("the day's high and low restart at 00:00 UTC", () => {
  const day = 86_400_000;
  const bars = [bar(day - 1, 5, 9, 1, 5), bar(day, 5, 6, 4, 5), bar(day + 1, 5, 7, 5, 5)];
  expect(sessionExtremes(bars)).toEqual([
    { high: 9, low: 1 },
    { high: 6, low: 4 },
    { high: 7, low: 4 },
  ]);
});

test("a Heikin-Ashi candle closes at its mean and opens in the middle of the previous one", () => {
  const [first, second] = heikinAshi([bar(0, 10, 14, 8, 12), bar(1, 12, 16, 12, 16)]);
  expect(first).toEqual({ open: 11, close: 11, high: 14, low: 8 });
  expect(second).toEqual({ open: 11, close: 14, high: 16, low: 11 });
});

describe("quickly", () => {
  const of = (period: number) => ({ calcParams: [period] }) as Indicator<number | null, number>;
  const slow = (bars: KLineData[], { calcParams: [period = 1] }: Indicator<number | null, number>) => [
    ...averageTrueRange(bars, period),
  ];

  test("returns the same as the full calculation, tick for tick and candle for candle", async () => {
    const calc = quickly(slow);
    const all = path(1_500);
    const bars = all.slice(0, 1_400);
    await calc(bars, of(14));
    for (const next of all.slice(1_400)) {
      bars.push({ ...next, close: next.open, high: next.open, low: next.open });
      await calc(bars, of(14));
      bars[bars.length - 1] = next;
      const figures = await calc(bars, of(14));
      expect(figures).toHaveLength(bars.length);
      expect(figures.at(-1)).toBeCloseTo(slow(bars, of(14)).at(-1) ?? Number.NaN, 9);
      expect(figures.at(-2)).toBeCloseTo(slow(bars, of(14)).at(-2) ?? Number.NaN, 9);
    }
  });

  test("recalculates everything if the parameter or the first candle changes", async () => {
    const calc = quickly(slow);
    const bars = path(900);
    await calc(bars, of(14));
    expect(await calc(bars, of(20))).toEqual(slow(bars, of(20)));
    const older = [bar(-1_000, 100, 101, 99, 100), ...bars];
    expect(await calc(older, of(20))).toEqual(slow(older, of(20)));
  });

  test("reads only the newest candles while only they change", async () => {
    const counts: number[] = [];
    const calc = quickly((bars: KLineData[], indicator: Indicator<number | null, number>) => {
      counts.push(bars.length);
      return slow(bars, indicator);
    });
    const bars = path(10_000);
    await calc(bars, of(14));
    await calc(bars, of(14));
    expect(counts).toEqual([10_000, 400]);
  });
});

import type { AxisRange, Chart } from "klinecharts";
import { describe, expect, test } from "vitest";
import { distinctTicks, marginsOf, priceRange, shownRange, timeStep } from "./chart-axes.ts";
import { indexOfInstant } from "./candle-series.ts";

const range = (from: number, to: number): AxisRange => ({
  from,
  to,
  range: to - from,
  realFrom: from,
  realTo: to,
  realRange: to - from,
  displayFrom: from,
  displayTo: to,
  displayRange: to - from,
});

describe("the price axis", () => {
  const noSplit = { split: null };

  test.each([
    [46, 110],
    [40, 200],
    [56, 250],
  ])("keeps the upper %i px of a pane of %i px free of prices", (abovePx, height) => {
    expect(marginsOf(height, { abovePx, ...noSplit }).above).toBe(abovePx);
  });

  test("keeps the usual margins if that is enough", () => {
    expect(marginsOf(200, { abovePx: 0, ...noSplit })).toEqual({ above: 22, below: 16 });
    expect(marginsOf(400, { abovePx: 20, ...noSplit })).toEqual({ above: 44, below: 32 });
  });

  test("never gives most of a low pane to what is above its prices", () => {
    expect(marginsOf(100, { abovePx: 90, ...noSplit }).above).toBeCloseTo(45);
  });

  test.each([0, 0.02, 0.1, 0.5, 0.9, 0.98, 1])(
    "has room for words above and below a price that is %f of the range from its top",
    (split) => {
      const { above, below } = marginsOf(200, { abovePx: 40, split });
      const drawn = 200 - above - below;
      expect(above + split * drawn).toBeGreaterThanOrEqual(72 - 0.001);
      expect(below + (1 - split) * drawn).toBeGreaterThanOrEqual(32 - 0.001);
    },
  );

  test("doesn't shrink the candles for words in a pane that is too low, or of a price out of view", () => {
    const usual = marginsOf(120, { abovePx: 0, split: null });
    expect(marginsOf(120, { abovePx: 0, split: 0 })).toEqual(usual);
    expect(marginsOf(200, { abovePx: 0, split: -3 })).toEqual({ above: 22, below: 16 });
  });

  test.each([false, true])("places the highest price below the legend (logarithmic: %s)", (log) => {
    const chart = { getSize: () => ({ height: 200 }) } as unknown as Chart;
    const terms = { decimals: 2, levels: [], log, abovePx: 40, split: null };
    const { realFrom, realRange } = priceRange({ chart, paneId: "candle_pane", defaultRange: range(10, 20) }, terms);
    const highest = log ? Math.log10(20) : 20;
    expect((1 - (highest - realFrom) / realRange) * 200).toBeCloseTo(40);
  });

  test("gives a market that hardly moves a range in which labels differ", () => {
    const { from, to } = shownRange(range(1.085, 1.085), { decimals: 6, levels: [], log: false });
    expect(to - from).toBeCloseTo(12e-6, 9);
    expect((from + to) / 2).toBeCloseTo(1.085, 9);
  });

  test("includes entries nearby, and doesn't shrink the candles for one far away", () => {
    const levels = [1.4, 9];
    expect(shownRange(range(1, 2), { decimals: 2, levels: [2.5], log: false })).toMatchObject({ from: 1, to: 2.5 });
    expect(shownRange(range(1, 2), { decimals: 2, levels, log: false })).toMatchObject({ from: 1, to: 2 });
  });

  test("on a logarithmic scale, places prices by their logarithm", () => {
    const { realFrom, realTo } = shownRange(range(10, 1_000), { decimals: 2, levels: [], log: true });
    expect([realFrom, realTo]).toEqual([1, 3]);
  });

  test("draws only one of several labels with the same text", () => {
    const ticks = ["1.10", "1.10", "1.11"].map((text, coord) => ({ text, coord, value: text }));
    expect(distinctTicks(ticks).map(({ coord }) => coord)).toEqual([0, 2]);
  });
});

test("time labels are at round steps with room for each", () => {
  expect(timeStep(1_000 / 7, 76)).toBe(15_000);
  expect(timeStep(60_000 / 7, 76)).toBe(900_000);
  expect(timeStep(86_400_000 / 7, 76)).toBe(1_209_600_000);
});

test("an instant is placed between its candles, even if some are missing and beyond the last", () => {
  const bars = [0, 1_000, 5_000].map((timestamp) => ({ timestamp }));
  expect(indexOfInstant(bars, 500, 1_000)).toBe(0.5);
  expect(indexOfInstant(bars, 3_000, 1_000)).toBe(1.5);
  expect(indexOfInstant(bars, 7_000, 1_000)).toBe(4);
  expect(indexOfInstant([], 7_000, 1_000)).toBe(0);
});

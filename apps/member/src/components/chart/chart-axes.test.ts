import type { AxisRange } from "klinecharts";
import { describe, expect, test } from "vitest";
import { distinctTicks, gapAbove, shownRange, timeStep } from "./chart-axes.ts";
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
  test.each([100, 115, 130])("keeps prices out of the upper 46 px of a pane of about %i px", (height) => {
    const part = gapAbove(46) / height;
    const free = (part / (1 + part + 0.1)) * height;
    expect(free).toBeGreaterThan(41);
    expect(free).toBeLessThan(51);
  });

  test("keeps the usual margin if nothing is covered", () => {
    expect(gapAbove(0)).toBe(0.14);
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

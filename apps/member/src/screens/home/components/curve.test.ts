import { expect, it } from "vitest";
import { curveOf } from "./curve.ts";

const days = (...totals: string[]) => totals.map((total) => ({ total }));

it("spreads the days over the plot, the highest on top", () => {
  const { points, high, low } = curveOf(days("10000.00", "9977.80", "10040.00"));
  expect(points.map(({ x }) => x)).toEqual([0, 50, 100]);
  expect([high.total, high.y, low.total, low.y]).toEqual(["10040.00", 24, "9977.80", 76]);
  expect(points[0]?.y).toBeGreaterThan(high.y);
});

it("is a line through the middle if nothing changed", () => {
  const { points, high, low } = curveOf(days("10000.00", "10000.00"));
  expect(points.map(({ y }) => y)).toEqual([50, 50]);
  expect(high).toEqual(low);
});

it("needs at least one day", () => {
  expect(() => curveOf([])).toThrow(RangeError);
});

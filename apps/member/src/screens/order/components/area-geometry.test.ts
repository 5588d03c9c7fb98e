import { describe, expect, test } from "vitest";
import { apart, areaOf, pathOf, roundPrices, scaleOf } from "./area-geometry.ts";

const points = [
  { at: 0, price: 10 },
  { at: 60, price: 20 },
  { at: 120, price: 10 },
];

describe("the scale", () => {
  const stops = [
    [0, 0],
    [120, 192],
    [3720, 256],
  ] as const;
  const scale = scaleOf(points, [], stops, 100);

  test("is linear between its stops, with a different rate in each", () => {
    expect([0, 60, 120, 1920, 3720].map(scale.x)).toEqual([0, 96, 192, 224, 256]);
  });

  test("shows every price and level inside the plot, higher prices higher", () => {
    const wide = scaleOf(points, [5, 30], stops, 100);
    expect(wide.y(30)).toBeGreaterThan(0);
    expect(wide.y(5)).toBeLessThan(100);
    expect(scale.y(20)).toBeLessThan(scale.y(10));
  });

  test("puts a flat line in the middle", () => {
    expect(scaleOf([{ at: 0, price: 7 }], [], stops, 100).y(7)).toBeCloseTo(50);
  });
});

test("grid prices are round and lie between the borders", () => {
  expect(roundPrices(0.9, 3.1)).toEqual([1, 2, 3]);
  expect(roundPrices(1, 1)).toEqual([]);
  expect(roundPrices(98, 112)).toEqual([100, 105, 110]);
});

test("a narrow range has at least three grid prices, so that a tag never hides the last one", () => {
  expect(roundPrices(2.1, 5.13)).toEqual([3, 4, 5]);
  for (let width = 1; width < 100; width += 0.37) {
    for (const bottom of [0, 0.3, 0.77]) expect(roundPrices(bottom, bottom + width).length).toBeGreaterThanOrEqual(3);
  }
});

test("grid prices are no closer than the height of their labels, on a low screen too", () => {
  for (let width = 1; width < 100; width += 0.37) {
    const [first = 0, second = Infinity] = roundPrices(0.3, 0.3 + width, width / 3);
    expect(second - first).toBeGreaterThanOrEqual(width / 3);
  }
});

test("grid prices differ by at least the last decimal, so that each label is its line's exact price", () => {
  for (const high of [1.08512, 1.08513, 1.08515]) {
    const { grid, y } = scaleOf([{ at: 0, price: 1.08512 }], [high], [[0, 0]], 108, 5);
    const written = grid.map((price) => price.toFixed(5));
    expect(new Set(written).size).toBe(grid.length);
    expect(grid.length).toBeGreaterThanOrEqual(3);
    for (const price of grid) expect(y(Number(price.toFixed(5)))).toBeCloseTo(y(price), 5);
  }
});

test("line and area leave out what is before the first stop", () => {
  const scale = scaleOf(
    points,
    [],
    [
      [60, 0],
      [120, 100],
    ] as const,
    10,
  );
  expect(pathOf(points, scale, 60).startsWith("M0.0 ")).toBe(true);
  expect(areaOf(points, scale, 60, 10).endsWith("L100.0 10L0.0 10Z")).toBe(true);
  expect(pathOf(points, scale, 100)).toBe("");
});

test("two labels that would touch move apart around their middle and stay inside", () => {
  expect(apart([40, 80], 20, 100)).toEqual([40, 80]);
  expect(apart([50, 54], 20, 100)).toEqual([42, 62]);
  expect(apart([1, 2], 20, 100)).toEqual([0, 20]);
  expect(apart([54, 50], 20, 100)).toEqual([62, 42]);
});

import { describe, expect, it, test } from "vitest";
import { fitLegend, legendArea } from "./legend-fit.ts";

/** Four parts of ten characters each. Digits are about half as wide as they are high. */
const PARTS = ["O 1.085094", "H 1.085131", "L 1.085012", "C 1.085131"];
const widthOf = (text: string, sizePx: number) => text.length * 0.55 * sizePx;
const tall = { height: 400 };

it("shows four figures in their usual size on a wide plot", () => {
  expect(fitLegend(PARTS, { width: 900, ...tall }, widthOf)).toEqual({
    isShown: true,
    sizePx: 12,
    widthPx: 308,
    hasOpen: true,
    hasTitles: true,
  });
});

it.each([
  [320, 12, true],
  [300, 11, true],
  [270, 10, true],
  [240, 10, false],
])("keeps to one line on a plot of %i px: %i px of size, the open %s", (width, sizePx, hasOpen) => {
  const fit = fitLegend(PARTS, { width, ...tall }, widthOf);
  expect([fit.sizePx, fit.hasOpen]).toEqual([sizePx, hasOpen]);
  const shown = hasOpen ? PARTS : PARTS.slice(1);
  expect(fit.widthPx).toBeCloseTo(12 + shown.reduce((sum, part) => sum + widthOf(part, fit.sizePx) + 8, 0));
  expect(fit.widthPx).toBeLessThanOrEqual(width);
});

it("uses a smaller size if the usual one fits exactly, because the library rounds it up", () => {
  expect(fitLegend(PARTS, { width: 312, ...tall }, widthOf).sizePx).toBe(12);
  expect(fitLegend(PARTS, { width: 309, ...tall }, widthOf).sizePx).toBe(11);
});

it("shows nothing on a chart that is too low for it", () => {
  expect(fitLegend(PARTS, { width: 300, height: 120 }, widthOf).isShown).toBe(false);
});

describe("the legend's space", () => {
  const fit = fitLegend(PARTS, { width: 900, ...tall }, widthOf);
  const narrow = fitLegend(PARTS, { width: 300, ...tall }, widthOf);

  test.each([
    ["is one line without indicators", fit, { figures: [], plotPx: 900 }, 20],
    ["has a line for each indicator", fit, { figures: [2, 3], plotPx: 900 }, 52],
    ["has a second one for figures that are wider than the plot", narrow, { figures: [4], plotPx: 300 }, 49],
    ["is nothing if it isn't shown", { ...fit, isShown: false }, { figures: [2], plotPx: 900 }, 0],
    ["is nothing before it is measured", { ...fit, widthPx: 0 }, { figures: [2], plotPx: 900 }, 0],
  ])("%s", (_, fitted, terms, heightPx) => {
    expect(legendArea(fitted, terms).heightPx).toBe(heightPx);
  });

  it("is as wide as its widest line, and no wider than the plot", () => {
    expect(legendArea(fit, { figures: [], plotPx: 900 }).widthPx).toBe(308);
    expect(legendArea(fit, { figures: [3], plotPx: 900 }).widthPx).toBeGreaterThan(308);
    expect(legendArea(narrow, { figures: [4], plotPx: 300 }).widthPx).toBe(300);
  });
});

import { expect, it } from "vitest";
import { fitLegend } from "./legend-fit.ts";

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

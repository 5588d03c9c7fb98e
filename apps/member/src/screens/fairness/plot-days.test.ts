import { expect, it } from "vitest";
import { plotDays } from "./plot-days.ts";

const day = (name: string, share: string | null, from = "0.45", to = "0.55") => ({
  day: name,
  share,
  shareFrom: share === null ? null : from,
  shareTo: share === null ? null : to,
});

it("places each day on a scale that includes all bands", () => {
  const { days, reach } = plotDays([day("a", "0.5"), day("b", "0.53", "0.38", "0.62")]);
  expect(reach).toBeCloseTo(0.15, 9);
  expect(days.map(({ at }) => at.toFixed(2))).toEqual(["0.50", "0.60"]);
  expect(days[1]).toMatchObject({ isOutside: false });
  expect(days[1]?.from).toBeCloseTo(0.1, 9);
});

it("marks a day that chance doesn't explain, and leaves out days without a decided order", () => {
  const { days } = plotDays([day("a", null), day("b", "0.31")]);
  expect(days.map(({ day: name, isOutside }) => [name, isOutside])).toEqual([["b", true]]);
});

it("shows at least a tenth, and never more than the whole range", () => {
  expect(plotDays([day("a", "0.5", "0.499", "0.501")]).reach).toBeCloseTo(0.05, 9);
  expect(plotDays([day("a", "0", "0", "1")]).reach).toBe(0.5);
  expect(plotDays([]).days).toEqual([]);
});

import { describe, expect, it, test } from "vitest";
import { decimalsOf, INDICATORS } from "./indicator-list.ts";
import { namedLines } from "./shown-indicators.ts";

describe("an indicator's decimals", () => {
  test.each(["MACD", "ATR", "MTM", "AO", "DMA"] as const)("of %s, a difference of prices, are the price's", (name) => {
    expect([2, 4, 6].map((decimals) => decimalsOf(name, decimals))).toEqual([2, 4, 6]);
  });

  test.each(["RSI", "KDJ", "CCI", "DMI", "WR", "PSY"] as const)("of %s, a scale of its own, are two", (name) => {
    expect([2, 6].map((decimals) => decimalsOf(name, decimals))).toEqual([2, 2]);
  });

  test.each(["ROC", "TRIX", "BIAS"] as const)("of %s, a change in percent, show one step of a currency", (name) => {
    expect(decimalsOf(name, 6)).toBe(4);
  });

  it("are known for each one with a pane of its own, whose default hides small differences", () => {
    const known = INDICATORS.filter(({ name }) => decimalsOf(name, 6) !== undefined);
    expect(known).toEqual(INDICATORS.filter(({ on }) => on === "pane"));
  });
});

it("calls the lines of bands and of the day by the words of the page", () => {
  const words = { high: "H", low: "T", upper: "Oben", middle: "Mitte", lower: "Unten" };
  expect(namedLines("BOLL", words)?.map(({ title }) => title)).toEqual(["Oben: ", "Mitte: ", "Unten: "]);
  expect(namedLines("SESSION", words)?.map(({ title }) => title)).toEqual(["H: ", "T: "]);
  expect(namedLines("MA", words)).toBeNull();
});

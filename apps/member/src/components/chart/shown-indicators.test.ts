import { describe, expect, it, test } from "vitest";
import { decimalsOf, INDICATORS } from "./indicator-list.ts";
import { callFigures, namedLines } from "./shown-indicators.ts";

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

const words = {
  high: "H",
  low: "T",
  upper: "Oben",
  middle: "Mitte",
  lower: "Unten",
  signal: "Signal",
  average: "Schnitt",
  histogram: "Histogramm",
};

describe("what an indicator's figures are called", () => {
  const titles = (name: Parameters<typeof callFigures>[0], keys: readonly string[], isNarrow = false) =>
    callFigures(
      name,
      keys.map((key) => ({ key, title: `${key.toUpperCase()}: ` })),
      { words, isNarrow },
    ).map(({ title }) => title);

  test.each([
    ["MACD", ["dif", "dea", "macd"], ["MACD: ", "Signal: ", "Histogramm: "]],
    ["TRIX", ["trix", "maTrix"], ["TRIX: ", "Signal: "]],
    ["MTM", ["mtm", "maMtm"], ["MTM: ", "Schnitt: "]],
    ["DMI", ["pdi", "adx"], ["PDI: ", "ADX: "]],
  ] as const)("of %s", (name, keys, expected) => {
    expect(titles(name, keys)).toEqual(expected);
  });

  it("fits in one line on a phone, without the columns", () => {
    expect(titles("MACD", ["dif", "dea", "macd"], true)).toEqual(["MACD: ", "Signal: ", undefined]);
  });
});

it("calls the lines of bands and of the day by the words of the page", () => {
  expect(namedLines("BOLL", words)?.map(({ title }) => title)).toEqual(["Oben: ", "Mitte: ", "Unten: "]);
  expect(namedLines("SESSION", words)?.map(({ title }) => title)).toEqual(["H: ", "T: "]);
  expect(namedLines("MA", words)).toBeNull();
});

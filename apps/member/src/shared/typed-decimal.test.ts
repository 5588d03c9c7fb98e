import { describe, expect, test } from "vitest";
import { decimalProblem, plainAmount, plainDecimal, priceNear, unmistakableDecimal } from "./typed-decimal.ts";

describe("amounts and prices", () => {
  test("are read as people type them", () => {
    expect(["12,50", " 1 000 ", "5.", ".5"].map(plainDecimal)).toEqual(["12.50", "1000", "5", "0.5"]);
  });

  test.each([
    ["1,000", "1000"],
    ["1,000.00", "1000.00"],
    ["1.000,00", "1000.00"],
    ["1'000.50", "1000.50"],
    ["1,000,000", "1000000"],
    ["$ 100", "100"],
    ["100 USD", "100"],
    ["１２", "12"],
    ["１,０００", "1000"],
    ["١٢٫٥", "12.5"],
    ["١٬٢٥٠٫٥٠", "1250.50"],
    ["२५०", "250"],
    ["0100", "100"],
    ["0", "0"],
    ["-5", "-5"],
    ["1e3", "1e3"],
    ["12.345", "12.345"],
  ])("pasted as %s mean %s", (pasted, meant) => {
    expect(plainAmount(pasted)).toBe(meant);
  });

  test.each([
    ["1.000", "1000"],
    ["1.000,5", "1000.5"],
    ["12,50", "12.50"],
    ["12.50", "12.50"],
    ["100,00", "100.00"],
    // Neither a thousand nor an amount: the member is asked again rather than guessed at.
    ["1,000", "1.000"],
  ])("with a decimal comma, %s means %s", (typed, meant) => {
    expect(plainAmount(typed, ",")).toBe(meant);
  });

  test("a price keeps its comma as a decimal point and loses its thousands separators", () => {
    expect(["1,084", "97,041.89"].map(plainDecimal)).toEqual(["1.084", "97041.89"]);
  });

  test.each([
    ["2,650", ".", null],
    ["2.650", ",", null],
    [" $ 2,650 ", ".", null],
    ["2,650", ",", "2.650"],
    ["2.650", ".", "2.650"],
    ["2,650.5", ".", "2650.5"],
    ["1,08", ".", "1.08"],
    ["1,0850", ".", "1.0850"],
    ["0,650", ".", "0.650"],
    ["97,041.89", ".", "97041.89"],
    ["97.041,89", ",", "97041.89"],
  ] as const)("of many places, %s with %s as the point is read as %s", (typed, sign, meant) => {
    expect(unmistakableDecimal(typed, sign)).toBe(meant);
  });
});

describe("a price near a known one", () => {
  test.each([
    ["97,041", ".", 2, "96900.10", "97041"],
    ["97.041", ",", 2, "96900.10", "97041"],
    ["97,041", ".", 2, null, "97041"],
    ["97,041.50", ".", 2, "96900.10", "97041.50"],
    ["1,085", ".", 6, "1.084120", "1.085"],
    ["2,650", ".", 4, "2640.0000", "2650"],
    ["2.650", ",", 4, "2640.0000", "2650"],
    ["2,650", ".", 4, null, null],
    ["1,08", ".", 6, "1.084120", "1.08"],
  ] as const)("%s with %s as the point and %s places at %s: %s", (typed, sign, decimals, near, meant) => {
    expect(priceNear(typed, sign, decimals, near)).toBe(meant);
  });
});

describe("what is wrong with an amount", () => {
  test.each([
    ["20", undefined],
    ["20.05", undefined],
    ["20.005", "fields.decimal.places"],
    ["-20", "fields.decimal.sign"],
    ["\u221220", "fields.decimal.sign"],
    ["+20", "fields.decimal.sign"],
    ["1e2", "fields.decimal.digits"],
    ["abc", "fields.decimal.digits"],
    ["999999999999", undefined],
    ["1000000000000", "fields.decimal.tooLarge"],
  ])("%s: %s", (typed, message) => {
    expect(decimalProblem(plainAmount(typed), 2)?.message).toBe(message);
  });

  test("an ambiguous figure is reported as unclear", () => {
    expect(decimalProblem(unmistakableDecimal("2,650", "."), 6)).toEqual({ message: "fields.decimal.unclear" });
  });
});

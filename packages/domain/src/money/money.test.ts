import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MicroUsd, Rate } from "./money.ts";
import { formatMoney, formatRate, formatUsdt, parseMoney, parseRate, parseUsdt } from "./money-text.ts";
import { formatPrice, parsePrice } from "../market/price.ts";
import {
  divideDown,
  divideHalfEven,
  divideUp,
  roundDownToCent,
  roundUpToCent,
  shareDownToCent,
  shareUpToCent,
} from "./rounding.ts";

const NOT_DECIMALS =
  "|1 | 1|+1|-1|-0|1e3|1E3|0x10|.5|5.|1,000|1_000|01|00|1..2|1.2.3|NaN|Infinity|null|１２|१|٣.50|1\n|1\0|$1|--1|²|1/2".split(
    "|",
  );

describe("amounts as text", () => {
  it.each([
    ["12.50", 12_500_000n],
    ["12.5", 12_500_000n],
    ["12", 12_000_000n],
    ["0", 0n],
    ["0.01", 10_000n],
    ["999999999999.99", 999_999_999_999_990_000n],
  ])("reads %s exactly", (text, amount) => {
    expect(parseMoney(text)).toBe(amount);
  });

  it.each([...NOT_DECIMALS, "1.234", "0.001", "1000000000000", "9".repeat(400)])("refuses %j", (text) => {
    expect(parseMoney(text)).toBeNull();
  });

  it.each([
    [12_500_000n, "12.50"],
    [0n, "0.00"],
    [-10_000n, "-0.01"],
    [-12_340_000n, "-12.34"],
  ])("writes row %# with two places", (amount, text) => {
    expect(formatMoney(amount as MicroUsd)).toBe(text);
  });

  it("throws for a part of a cent instead of hiding it", () => {
    expect(() => formatMoney(1n as MicroUsd)).toThrow(RangeError);
  });

  it("reads back its own text, in cents and in USDT's six places", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), (number) => {
        const amount = (number * 10_000n) as MicroUsd;
        expect(parseMoney(formatMoney(amount))).toBe(amount);
        expect(parseUsdt(formatUsdt(number as MicroUsd))).toBe(number);
      }),
    );
  });
});

describe("rates as text", () => {
  it.each([
    ["0.85", 850_000n, "0.85"],
    ["0.850", 850_000n, "0.85"],
    ["0.850000", 850_000n, "0.85"],
    ["0.9", 900_000n, "0.90"],
    ["1", 1_000_000n, "1.00"],
    ["0.545946", 545_946n, "0.545946"],
    ["0.0100", 10_000n, "0.01"],
  ])("%s is compared by value and written short", (text, rate, written) => {
    expect(parseRate(text)).toBe(rate);
    expect(formatRate(rate as Rate)).toBe(written);
  });

  it.each([...NOT_DECIMALS, "0.8500001", "1000"])("refuses %j", (text) => {
    expect(parseRate(text)).toBeNull();
  });

  it("writes a negative rate with its sign", () => {
    expect(formatRate(-12_300n as Rate)).toBe("-0.0123");
  });
});

describe("prices as text", () => {
  it.each([
    ["1.084120", 6, 1_084_120n, "1.084120"],
    ["1.08412", 6, 1_084_120n, "1.084120"],
    ["1.0841200000", 6, 1_084_120n, "1.084120"],
    ["97000.5", 2, 9_700_050n, "97000.50"],
    ["151", 0, 151n, "151"],
  ])("%s with %i places is exact", (text, decimals, points, written) => {
    const price = parsePrice(text, decimals);
    expect(price).toBe(points);
    expect(formatPrice(price!, decimals)).toBe(written);
  });

  it.each([...NOT_DECIMALS, "0", "0.000000", "1.0841201", "1234567890"])("refuses %j", (text) => {
    expect(parsePrice(text, 6)).toBeNull();
  });
});

describe("division names its rounding", () => {
  it.each([
    [7n, 2n, 3n, 4n, 4n],
    [5n, 2n, 2n, 3n, 2n],
    [-5n, 2n, -3n, -2n, -2n],
    [-7n, 2n, -4n, -3n, -4n],
    [6n, 3n, 2n, 2n, 2n],
    [-1n, 3n, -1n, 0n, 0n],
    [0n, 9n, 0n, 0n, 0n],
  ])("row %#: down, up, half to even", (value, divisor, down, up, halfEven) => {
    expect(divideDown(value, divisor)).toBe(down);
    expect(divideUp(value, divisor)).toBe(up);
    expect(divideHalfEven(value, divisor)).toBe(halfEven);
  });

  it("refuses a divisor of zero or below", () => {
    for (const divide of [divideDown, divideUp, divideHalfEven]) {
      expect(() => divide(1n, 0n)).toThrow(RangeError);
      expect(() => divide(1n, -2n)).toThrow(RangeError);
    }
  });

  it("keeps down ≤ exact ≤ up, less than one apart, with the nearest in between", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (a, b) => {
          const down = divideDown(a, b);
          const up = divideUp(a, b);
          const near = divideHalfEven(a, b);
          expect(down * b <= a && a < (down + 1n) * b).toBe(true);
          expect((up - 1n) * b < a && a <= up * b).toBe(true);
          const error = 2n * (near * b - a);
          expect(error <= b && error >= -b).toBe(true);
        },
      ),
    );
  });

  it("rounds to cents in the named direction", () => {
    expect(roundUpToCent(10_001n as MicroUsd)).toBe(20_000n);
    expect(roundDownToCent(19_999n as MicroUsd)).toBe(10_000n);
    expect(roundUpToCent(10_000n as MicroUsd)).toBe(10_000n);
    expect(shareUpToCent(1_010_000n as MicroUsd, 850_000n as Rate)).toBe(860_000n);
    expect(shareDownToCent(1_990_000n as MicroUsd, 10_000n as Rate)).toBe(10_000n);
  });
});

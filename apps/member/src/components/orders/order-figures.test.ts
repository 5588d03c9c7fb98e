import { describe, expect, test } from "vitest";
import {
  heldOf,
  outcomeAt,
  paidOf,
  priceDifference,
  profitAt,
  profitIf,
  spokenMark,
  sumOf,
  timeLeft,
} from "./order-figures.ts";

const up = { stake: "100.00", fee: "1.00", payoutRate: "0.85", direction: "up", entryPrice: "1.085012" } as const;
const down = { ...up, direction: "down" } as const;

describe("the figures of an order add up", () => {
  test.each([
    ["won", "185.00", "84.00"],
    ["lost", "0.00", "-101.00"],
    ["tied", "101.00", "0.00"],
    ["voided", "101.00", "0.00"],
  ] as const)("%s pays %s, a result of %s", (outcome, paid, profit) => {
    expect(paidOf(up, outcome)).toBe(paid);
    expect(profitIf(up, outcome)).toBe(profit);
    expect(sumOf([`-${heldOf(up)}`, paid])).toBe(profit);
  });

  test("a fraction of a cent won is rounded up, as the rules say", () => {
    const small = { ...up, stake: "1.01", fee: "0.01", payoutRate: "0.823" };
    expect(paidOf(small, "won")).toBe("1.85");
    expect(profitIf(small, "won")).toBe("0.83");
  });
});

describe("how an order stands at a price", () => {
  test.each([
    [up, "1.085013", "won", "84.00"],
    [up, "1.085012", "tied", "0.00"],
    [up, "1.0850120", "tied", "0.00"],
    [up, "1.085011", "lost", "-101.00"],
    [down, "1.085013", "lost", "-101.00"],
    [down, "1.085011", "won", "84.00"],
  ] as const)("%o at %s: %s", (order, price, outcome, profit) => {
    expect(outcomeAt(order, price)).toBe(outcome);
    expect(profitAt(order, price)).toBe(profit);
  });

  test("is unknown before the entry tick and without a price", () => {
    expect(outcomeAt({ ...up, entryPrice: null }, "1.085013")).toBeNull();
    expect(profitAt(up, null)).toBeNull();
  });
});

test("prices are subtracted exactly, whatever their decimals", () => {
  expect(priceDifference("1.085012", "1.085131")).toBe("0.000119");
  expect(priceDifference("64210.50", "64188.20")).toBe("-22.30");
});

test("the time left is the whole duration before the entry and never below zero", () => {
  expect(timeLeft({ expiresAt: null, duration: 60 }, 5_000)).toEqual({ ms: 60_000, part: 1 });
  expect(timeLeft({ expiresAt: 60_000, duration: 60 }, 45_000)).toEqual({ ms: 15_000, part: 0.25 });
  expect(timeLeft({ expiresAt: 60_000, duration: 60 }, 61_000)).toEqual({ ms: 0, part: 0 });
});

test("a countdown is announced at 30, 10 and 5 seconds only", () => {
  const minute = { expiresAt: 60_000, duration: 60 };
  expect([0, 29_999, 30_000, 49_999, 50_000, 55_000].map((now) => spokenMark(minute, now))).toEqual([
    null,
    null,
    30,
    30,
    10,
    5,
  ]);
  expect(spokenMark({ expiresAt: 30_000, duration: 30 }, 1_000)).toBeNull();
  expect(spokenMark({ expiresAt: null, duration: 60 }, 0)).toBeNull();
});

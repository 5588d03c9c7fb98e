import { describe, expect, it } from "vitest";
import { count, fiat, instant, shortInstant, money, percent, sameAmount, signed, typedAmount } from "./format.ts";

describe("amounts in the console", () => {
  it("are grouped, with a true minus", () => {
    expect(money("-1234567.80")).toBe("−1,234,567.80");
    expect([signed("5.00"), signed("-5.00"), signed("0.00")]).toEqual(["+5.00", "−5.00", "0.00"]);
  });

  it("are grouped next to their currency, whatever its decimals", () => {
    expect(["USD 12000.50", "JPY 1500000", "EUR 115.18", "12000000.123456 USDT"].map(fiat)).toEqual([
      "USD 12,000.50",
      "JPY 1,500,000",
      "EUR 115.18",
      "12,000,000.123456 USDT",
    ]);
  });

  it("use separators in counts too", () => {
    expect([0, 999, 1_500, 1_234_567].map(count)).toEqual(["0", "999", "1,500", "1,234,567"]);
  });

  it("are accepted as people type them", () => {
    expect(["1,000.5", "−12", "+3.00", " 7 "].map(typedAmount)).toEqual(["1000.5", "-12", "3.00", "7"]);
  });

  it("are equal only with the same sign and figures", () => {
    expect(sameAmount("12.5", "12.50")).toBe(true);
    expect(sameAmount("−12", "-12.00")).toBe(true);
    expect(sameAmount("100", "1000.00")).toBe(false);
    expect(sameAmount("12", "-12.00")).toBe(false);
    expect(sameAmount("", "0.00")).toBe(false);
  });

  it("appear with rates and instants in UTC", () => {
    expect([percent("0.85"), percent("0.5459"), percent("1.10")]).toEqual(["85%", "54.59%", "110%"]);
    expect(instant(1_795_271_400_000)).toBe("2026-11-21 14:30:00");
    expect(instant(null)).toBe("–");
  });
});

it("leaves out the year of an instant in the current year", () => {
  const at = Date.UTC(2026, 10, 21, 14, 31, 40);
  expect(shortInstant(at, Date.UTC(2026, 11, 31, 23, 59))).toBe("11-21 14:31:40");
  expect(shortInstant(at, Date.UTC(2027, 0, 1))).toBe("2026-11-21 14:31:40");
  expect(shortInstant(null)).toBe("–");
});

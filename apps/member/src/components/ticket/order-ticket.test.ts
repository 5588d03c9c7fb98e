import { describe, expect, test } from "vitest";
import {
  calculateSummary,
  getErrors,
  largestStake,
  stepStake,
  suggestedLimit,
  withTerms,
  type OrderTicket,
  type TicketMarket,
} from "./order-ticket.ts";

const NOW = 1_763_648_000_000;
const market: TicketMarket = {
  instrument: {
    decimals: 6,
    open: true,
    suspended: false,
    nextChange: null,
    minStake: "1.00",
    maxStake: "1000.00",
    feeRate: "0.01",
    durations: [
      { seconds: 30, payoutRate: "0.82" },
      { seconds: 60, payoutRate: "0.85" },
    ],
  },
  price: "1.085021",
  priceAt: NOW - 400,
  now: NOW,
  available: "9840.50",
  tradePasswordSet: true,
};
const ticket: OrderTicket = { direction: "up", stake: "100", duration: 60, limitOn: false, limitPrice: "" };
const on = (change: Partial<TicketMarket["instrument"]>): TicketMarket => ({
  ...market,
  instrument: { ...market.instrument, ...change },
});
const errorsOf = (change: Partial<OrderTicket>, against: TicketMarket = market) =>
  getErrors({ ...ticket, ...change }, against);

describe("the figures shown", () => {
  test("100.00 for 60 s at 85 % with a fee of 1 %", () => {
    expect(calculateSummary(ticket, market)).toEqual({
      stake: "100.00",
      payoutRate: "0.85",
      feeRate: "0.01",
      fee: "1.00",
      profit: "84.00",
      cost: "101.00",
      breakEven: "0.545946",
      averageAtEvenOdds: "-8.50",
      deliveryAt: NOW + 60_000,
      limitPassed: false,
    });
  });

  test.each([
    ["1.01", 30, "0.01", "0.82", "1.02"],
    ["1", 30, "0.01", "0.81", "1.01"],
    ["33.33", 60, "0.33", "28.01", "33.66"],
    ["0,99", 60, null, null, null],
    ["1000", 60, "10.00", "840.00", "1010.00"],
  ])("%s for %s s: fee %s, pays %s, costs %s", (stake, duration, fee, profit, cost) => {
    expect(calculateSummary({ ...ticket, stake, duration }, market)).toMatchObject({ fee, profit, cost });
  });

  test("an average with half a cent is rounded to the larger loss", () => {
    expect(calculateSummary({ ...ticket, stake: "1.00" }, market).averageAtEvenOdds).toBe("-0.09");
  });

  test("an invalid amount has no sums, but keeps its break-even and delivery", () => {
    const summary = calculateSummary({ ...ticket, stake: "2000" }, market);
    expect(summary).toMatchObject({ stake: null, profit: null, cost: null, fee: null });
    expect(summary).toMatchObject({ breakEven: "0.545946", deliveryAt: NOW + 60_000 });
  });

  test("terms that changed at the server change every figure that depends on them", () => {
    const now = withTerms(calculateSummary(ticket, market), { payoutRate: "0.80", fee: "2.00" });
    expect(now).toMatchObject({ payoutRate: "0.80", fee: "2.00", feeRate: "0.02", profit: "78.00", cost: "102.00" });
    expect(now).toMatchObject({ breakEven: "0.566667", averageAtEvenOdds: "-12.00", stake: "100.00" });
  });

  test("the same terms change nothing", () => {
    const summary = calculateSummary(ticket, market);
    expect(withTerms(summary, { payoutRate: "0.85", fee: "1.00" })).toEqual(summary);
  });

  test("a duration that isn't offered has no rate", () => {
    expect(calculateSummary({ ...ticket, duration: 45 }, market)).toMatchObject({ payoutRate: null, profit: null });
  });
});

describe("the errors of a ticket", () => {
  test("a valid ticket has none", () => {
    expect(errorsOf({})).toEqual([]);
  });

  test.each<[string, Partial<OrderTicket>, TicketMarket, string, string | null]>([
    ["no transaction password", {}, { ...market, tradePasswordSet: false }, "TRADE_PASSWORD_NOT_SET", null],
    ["suspended", {}, on({ suspended: true }), "INSTRUMENT_SUSPENDED", null],
    ["closed", {}, on({ open: false }), "INSTRUMENT_CLOSED", null],
    ["closing before it could end", {}, on({ nextChange: NOW + 69_999 }), "INSTRUMENT_CLOSED", null],
    ["no price yet", {}, { ...market, price: null, priceAt: null }, "PRICE_STALE", null],
    ["a price older than 2 s", {}, { ...market, priceAt: NOW - 2001 }, "PRICE_STALE", null],
    ["another duration", { duration: 45 }, market, "DURATION_NOT_OFFERED", "duration"],
    ["no duration", { duration: null }, market, "DURATION_NOT_OFFERED", "duration"],
    ["no amount", { stake: " " }, market, "FIELD_MISSING", "stake"],
    ["not an amount", { stake: "1e3" }, market, "FIELD_INVALID", "stake"],
    ["a part of a cent", { stake: "1.001" }, market, "FIELD_INVALID", "stake"],
    ["a negative amount", { stake: "-5" }, market, "FIELD_INVALID", "stake"],
    ["below the minimum", { stake: "0.99" }, market, "STAKE_BELOW_MINIMUM", "stake"],
    ["above the maximum", { stake: "1000.01" }, market, "STAKE_ABOVE_MAXIMUM", "stake"],
    ["more than is available", { stake: "100" }, { ...market, available: "100.99" }, "INSUFFICIENT_BALANCE", "stake"],
    ["a limit that is no price", { limitOn: true, limitPrice: "1.08502134" }, market, "FIELD_INVALID", "limitPrice"],
    ["a limit of zero", { limitOn: true, limitPrice: "0" }, market, "FIELD_INVALID", "limitPrice"],
    ["no direction", { direction: null }, market, "FIELD_MISSING", "direction"],
  ])("%s", (_, change, against, error, field) => {
    const errors = errorsOf(change, against);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ error, field });
  });

  test("the messages get the dollar values", () => {
    expect(errorsOf({ stake: "0.99" })[0]?.params).toEqual({ min: "1.00" });
    expect(errorsOf({ stake: "5000" })[0]?.params).toEqual({ max: "1000.00" });
    expect(errorsOf({}, { ...market, available: "3.00" })[0]?.params).toEqual({ available: "3.00" });
  });

  test("bounds are inclusive: the minimum, the maximum, the exact balance, the last moment before a close", () => {
    expect(errorsOf({ stake: "1" })).toEqual([]);
    expect(errorsOf({ stake: "1000" })).toEqual([]);
    expect(errorsOf({ stake: "100" }, { ...market, available: "101.00" })).toEqual([]);
    expect(errorsOf({}, on({ nextChange: NOW + 70_000 }))).toEqual([]);
    expect(errorsOf({}, { ...market, priceAt: NOW - 2000 })).toEqual([]);
  });

  test("several are listed in the server's order", () => {
    const errors = errorsOf(
      { stake: "0", duration: 45, direction: null },
      { ...on({ open: false }), tradePasswordSet: false },
    );
    expect(errors.map(({ error }) => error)).toEqual([
      "TRADE_PASSWORD_NOT_SET",
      "INSTRUMENT_CLOSED",
      "DURATION_NOT_OFFERED",
      "STAKE_BELOW_MINIMUM",
      "FIELD_MISSING",
    ]);
  });

  test("a visitor's balance and password aren't checked", () => {
    expect(errorsOf({}, { ...market, available: null, tradePasswordSet: null })).toEqual([]);
  });
});

describe("a limit already passed", () => {
  test.each([
    ["up", "1.085020", true],
    ["up", "1.085021", false],
    ["up", "1.085022", false],
    ["down", "1.085022", true],
    ["down", "1.085021", false],
    ["down", "1.085020", false],
  ] as const)("%s at most %s: %s", (direction, limitPrice, passed) => {
    expect(calculateSummary({ ...ticket, direction, limitOn: true, limitPrice }, market).limitPassed).toBe(passed);
  });

  test("is shown, not refused: the next tick may come back", () => {
    expect(errorsOf({ limitOn: true, limitPrice: "1.08" })).toEqual([]);
  });

  test("doesn't count while the limit is off", () => {
    expect(calculateSummary({ ...ticket, limitPrice: "1.08" }, market).limitPassed).toBe(false);
  });

  test("the first suggestion is slightly against the member", () => {
    expect(suggestedLimit("1.085021", 6, "up")).toBe("1.085075");
    expect(suggestedLimit("1.085021", 6, "down")).toBe("1.084967");
    expect(suggestedLimit("64210.50", 2, "up")).toBe("64213.71");
    expect(suggestedLimit("0.9", 1, "up")).toBe("1.0");
  });
});

describe("amounts", () => {
  test("with more digits than money has are above the maximum", () => {
    expect(errorsOf({ stake: "9".repeat(21) })[0]).toEqual({
      error: "STAKE_ABOVE_MAXIMUM",
      field: "stake",
      params: { max: "1000.00" },
    });
  });

  test("Max leaves room for the fee, to the cent", () => {
    expect(largestStake(market)).toBe("1000.00");
    expect(largestStake({ ...market, available: "101.00" })).toBe("100.00");
    expect(largestStake({ ...market, available: "100.99" })).toBe("99.99");
    expect(largestStake({ ...market, available: "1.00" })).toBeNull();
    expect(largestStake({ ...market, available: null })).toBe("1000.00");
  });

  test("what Max gives can be paid, and a cent more can't", () => {
    for (let cents = 102; cents < 2_000; cents += 7) {
      const against = { ...market, available: (cents / 100).toFixed(2) };
      const stake = largestStake(against)!;
      expect(errorsOf({ stake }, against)).toEqual([]);
      expect(errorsOf({ stake: (Number(stake) + 0.01).toFixed(2) }, against)[0]?.error).toBe("INSUFFICIENT_BALANCE");
    }
  });

  test.each([
    ["37", 1, "40.00"],
    ["37", -1, "30.00"],
    ["100", 1, "150.00"],
    ["100", -1, "90.00"],
    ["10", -1, "9.00"],
    ["9.50", 1, "10.00"],
    ["1", -1, "1.00"],
    ["1000", 1, "1000.00"],
    ["abc", 1, "2.00"],
  ] as const)("%s steps %s to %s", (typed, toward, next) => {
    expect(stepStake(typed, toward, market)).toBe(next);
  });
});

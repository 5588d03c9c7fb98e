import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIRST_SM1_PARAMS, firstTradingConfig } from "../config/first-config.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { shareDownToCent } from "../money/rounding.ts";
import {
  averageAtEvenOdds,
  breakEvenOf,
  breakEvenRate,
  calculateQuote,
  calculateReturns,
  largestStakeFor,
  quote,
} from "./quote.ts";
import type { Instant } from "../base/time.ts";

const config = firstTradingConfig(0n as Instant);
const terms = config.instruments[0]!;

describe("a quote", () => {
  it.each([
    // stake, duration, fee, profit, payout, cost
    [1_000_000n, 60, 10_000n, 840_000n, 1_850_000n, 1_010_000n],
    [1_010_000n, 60, 10_000n, 850_000n, 1_870_000n, 1_020_000n],
    [1_990_000n, 30, 10_000n, 1_630_000n, 3_630_000n, 2_000_000n],
    [1_000_000_000n, 3600, 10_000_000n, 890_000_000n, 1_900_000_000n, 1_010_000_000n],
  ])("row %#: rounds profit up and fee down to the cent", (stake, seconds, fee, profitIfWon, payout, cost) => {
    expect(quote(terms, seconds, stake as MicroUsd)).toMatchObject({
      ok: true,
      value: { stake, fee, profitIfWon, payout, cost, feeRate: 10_000n },
    });
  });

  it.each([
    [5_000_000n, 31, "DURATION_NOT_OFFERED", undefined],
    [990_000n, 30, "STAKE_BELOW_MINIMUM", { min: "1.00" }],
    [1_000_010_000n, 30, "STAKE_ABOVE_MAXIMUM", { max: "1000.00" }],
  ])("row %#: is refused with the dollar value", (stake, seconds, error, params) => {
    expect(quote(terms, seconds, stake as MicroUsd)).toEqual({
      ok: false,
      refusal: { error, ...(params && { params }) },
    });
  });

  it("breaks even at (1 + fee rate) / (1 + payout rate), rounded up to a millionth", () => {
    expect(breakEvenRate(10_000n as Rate, 850_000n as Rate)).toBe(545_946n);
    expect(breakEvenRate(0n as Rate, 1_000_000n as Rate)).toBe(500_000n);
  });

  it("never rounds at the member's expense", () => {
    const anyRate = fc.bigInt({ min: 0n, max: 2_000_000n });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 8n }), anyRate, anyRate, (cents, rate, feeRate) => {
        const stake = (cents * 10_000n) as MicroUsd;
        const offer = { seconds: 30, payoutRate: rate as Rate };
        const { fee, profitIfWon, payout, cost } = calculateQuote({ feeRate: feeRate as Rate }, offer, stake);
        const gain = payout - stake;
        expect(gain * 1_000_000n >= stake * rate && (gain - 10_000n) * 1_000_000n < stake * rate).toBe(true);
        expect(fee * 1_000_000n <= stake * feeRate && (fee + 10_000n) * 1_000_000n > stake * feeRate).toBe(true);
        expect(profitIfWon).toBe(gain - fee);
        expect(cost).toBe(stake + fee);
        expect([fee % 10_000n, gain % 10_000n]).toEqual([0n, 0n]);
      }),
    );
  });
});

describe("the returns of fixed terms", () => {
  const returns = calculateReturns({
    stake: 1_010_000n as MicroUsd,
    payoutRate: 823_000n as Rate,
    fee: 10_000n as MicroUsd,
  });

  it("rounds the gain up to the cent", () => {
    expect(returns).toEqual({ profitIfWon: 830_000n, payout: 1_850_000n, cost: 1_020_000n });
  });

  it("breaks even at cost / payout, rounded up", () => {
    expect(breakEvenOf(returns)).toBe(551_352n);
  });

  it("averages a win and a loss, down to the cent", () => {
    expect(averageAtEvenOdds(returns)).toBe(-100_000n);
  });

  it("finds the largest stake that the balance covers together with its fee", () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 9n });
    fc.assert(
      fc.property(cents, fc.bigInt({ min: 0n, max: 1_000_000n }), (available, rate) => {
        const [free, feeRate] = [(available * 10_000n) as MicroUsd, rate as Rate];
        const stake = largestStakeFor(free, feeRate);
        const next = (stake + 10_000n) as MicroUsd;
        expect(stake + shareDownToCent(stake, feeRate) <= free).toBe(true);
        expect(next + shareDownToCent(next, feeRate) > free).toBe(true);
      }),
    );
  });
});

describe("the first configuration", () => {
  it("has twelve instruments, each with its simulated market", () => {
    expect(config.instruments.map(({ symbol }) => symbol)).toEqual(FIRST_SM1_PARAMS.map(({ symbol }) => symbol));
    expect(config.instruments).toHaveLength(12);
    for (const { symbol, name, decimals, kind, staleExitMs } of config.instruments) {
      expect(name.replace("/", "")).toBe(symbol);
      expect(FIRST_SM1_PARAMS.find((each) => each.symbol === symbol)?.digits).toBe(decimals);
      expect(staleExitMs).toBe(kind === "fx" ? 15_000n : 5_000n);
    }
  });

  it("keeps foreign exchange open unless told otherwise, and crypto always", () => {
    expect(new Set(config.instruments.map(({ sessionHours }) => sessionHours))).toEqual(new Set(["always"]));
    const hours = firstTradingConfig(0n as Instant, "fx-new-york").instruments;
    for (const { kind, sessionHours } of hours) expect(sessionHours).toBe(kind === "fx" ? "fx-new-york" : "always");
  });

  it("writes sigma out as round(annual volatility / sqrt(half-seconds a year) · 2^40)", () => {
    const percents = FIRST_SM1_PARAMS.map(
      ({ sigma }) => (Number(sigma) / 2 ** 40) * Math.sqrt(31_536_000_000 / 500) * 100,
    );
    const whole = [8, 9, 10, 11, 8, 7, 16, 55, 65, 85, 85, 95];
    expect(percents.map((percent) => Math.round(percent))).toEqual(whole);
    for (const [index, percent] of percents.entries()) expect(percent).toBeCloseTo(whole[index]!, 5);
  });
});

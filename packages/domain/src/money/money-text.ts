import { formatDecimal, parseDecimal } from "./decimal.ts";
import type { MicroUsd, Rate } from "./money.ts";
import { isWholeCents, MICRO_PER_CENT } from "./rounding.ts";

/** With at most twelve digits of whole dollars, the sum of any two amounts fits PostgreSQL's bigint. */
const WHOLE_DIGITS_MAX = 12;

/** Reads "12.50", "12.5" or "12" as micro-USD. Null for signs, exponents, more than two places, and from 10^12 on. */
export function parseMoney(text: string): MicroUsd | null {
  const cents = parseDecimal(text, 2, WHOLE_DIGITS_MAX);
  return cents === null ? null : ((cents * MICRO_PER_CENT) as MicroUsd);
}

/** Writes whole cents as calls do: "12.50", "-3.00". Throws for parts of a cent, which members' amounts never have. */
export function formatMoney(amount: MicroUsd): string {
  if (!isWholeCents(amount)) throw new RangeError(`not whole cents: ${amount}`);
  return formatDecimal(amount / MICRO_PER_CENT, 2);
}

/**
 * Writes an amount in the house's books to the last micro-USD: "12.50", "-0.004333". Members are paid whole cents and
 * the house bears the rest, so only its own accounts hold parts of a cent.
 */
export function formatExactMoney(amount: MicroUsd): string {
  return formatDecimal(amount, 6).replace(/0{1,4}$/, "");
}

/** Reads an amount of USDT with up to six places, which are micro-USD at 1 USDT = 1 USD. */
export function parseUsdt(text: string): MicroUsd | null {
  return parseDecimal(text, 6, WHOLE_DIGITS_MAX) as MicroUsd | null;
}

export function formatUsdt(amount: MicroUsd): string {
  return formatDecimal(amount, 6);
}

/** Reads a rate: "0.85" and "0.850" are 850_000n. Null for more than six places, and from 1000 on. */
export function parseRate(text: string): Rate | null {
  return parseDecimal(text, 6, 3) as Rate | null;
}

/**
 * Writes a rate with two to six decimal places and no further trailing zeros: "0.85", "0.90", "0.545946", "-0.0123".
 */
export function formatRate(rate: Rate): string {
  return formatDecimal(rate, 6).replace(/0{1,4}$/, "");
}

import { formatDecimal, parseDecimal } from "./decimal.ts";
import type { MicroUsd, Rate } from "./money.ts";
import { isWholeCents, MICRO_PER_CENT } from "./rounding.ts";

/** Twelve digits of whole dollars keep every sum of two amounts within PostgreSQL's bigint. */
const WHOLE_DIGITS_MAX = 12;

/** "12.50", "12.5" or "12" → micro-USD; null for signs, exponents, more than two places, or 10^12 and more. */
export function parseMoney(text: string): MicroUsd | null {
  const cents = parseDecimal(text, 2, WHOLE_DIGITS_MAX);
  return cents === null ? null : ((cents * MICRO_PER_CENT) as MicroUsd);
}

/** Whole cents as calls write them: "12.50", "-3.00". Throws on a part of a cent, which no stored USD amount has. */
export function formatMoney(amount: MicroUsd): string {
  if (!isWholeCents(amount)) throw new RangeError(`not whole cents: ${amount}`);
  return formatDecimal(amount / MICRO_PER_CENT, 2);
}

/**
 * The house's books to the last micro-USD: two places, and up to six where a part of a cent is left. Members are paid
 * whole cents and the house bears the rest, so that its accounts hold parts of a cent. "12.50", "-0.004333".
 */
export function formatExactMoney(amount: MicroUsd): string {
  return formatDecimal(amount, 6).replace(/0{1,4}$/, "");
}

/** USDT in its six places, which are micro-USD at 1 USDT = 1 USD. */
export function parseUsdt(text: string): MicroUsd | null {
  return parseDecimal(text, 6, WHOLE_DIGITS_MAX) as MicroUsd | null;
}

export function formatUsdt(amount: MicroUsd): string {
  return formatDecimal(amount, 6);
}

/** "0.85" = "0.850" → 850_000n; at most six places, below 1000. */
export function parseRate(text: string): Rate | null {
  return parseDecimal(text, 6, 3) as Rate | null;
}

/** At least two places, at most six, no further trailing zeros: "0.85", "0.90", "0.545946", "-0.0123". */
export function formatRate(rate: Rate): string {
  return formatDecimal(rate, 6).replace(/0{1,4}$/, "");
}

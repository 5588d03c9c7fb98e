import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import type { Nominal } from "../base/nominal.ts";

/** A price in whole points, the smallest step of its instrument: 1_084_120n with 6 decimals is 1.084120. Not money. */
export type Points = Nominal<bigint, "Points">;

/**
 * Reads a price exactly: "1.08412" with 6 decimals is 1_084_120n. Null for other digits than zeros beyond the instrument's
 * places, since nothing is rounded on the way to points, and null for zero, signs and exponents.
 */
export function parsePrice(text: string, decimals: number): Points | null {
  const points = parseDecimal(text, decimals, 9, true);
  return points === null || points === 0n ? null : (points as Points);
}

/** Writes a price with all of the instrument's places: "1.084120". */
export function formatPrice(price: Points, decimals: number): string {
  return formatDecimal(price, decimals);
}

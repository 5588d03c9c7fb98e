import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import type { Nominal } from "../base/nominal.ts";

/** A price in whole points, its instrument's smallest step: 1_084_120n with 6 decimals is 1.084120. It is not money. */
export type Points = Nominal<bigint, "Points">;

/**
 * Reads a price exactly: "1.08412" with 6 decimals is 1_084_120n. Null for zero, signs, exponents, and for nonzero
 * digits beyond the instrument's decimal places, because prices are never rounded to points.
 */
export function parsePrice(text: string, decimals: number): Points | null {
  const points = parseDecimal(text, decimals, 9, true);
  return points === null || points === 0n ? null : (points as Points);
}

/** Writes a price with all of the instrument's decimal places: "1.084120". */
export function formatPrice(price: Points, decimals: number): string {
  return formatDecimal(price, decimals);
}

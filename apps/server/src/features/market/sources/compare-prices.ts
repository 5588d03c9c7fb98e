import { divideDown, type Points, type Rate, RATE_ONE } from "@fairtick/domain";

/** Returns whether a price is at most `band` away from the reference, as a part of the reference. */
export function isWithin(price: Points, reference: Points, band: Rate): boolean {
  const distance = price > reference ? price - reference : reference - price;
  return distance * RATE_ONE <= reference * band;
}

/**
 * Calculates the median, in points; null of no prices. For an even number of prices, that is the mean of the two in the
 * middle, rounded down to the point.
 */
export function median(prices: readonly Points[]): Points | null {
  const sorted = prices.toSorted((left, right) => Number(left > right) - Number(left < right));
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (divideDown(upper + lower, 2n) as Points);
}

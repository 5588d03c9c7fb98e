/** A day's total and its position, in percent of the plot from the left and the top. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  /** Money, as received. */
  readonly total: string;
}

/** Margin for the figures above and below the line, in percent of the plot. */
const EDGE = 24;

/**
 * Places a wallet's days from left to right, and returns the first highest and first lowest. Throws RangeError without
 * a day.
 */
export function curveOf(days: readonly { readonly total: string }[]): {
  readonly points: readonly CurvePoint[];
  readonly high: CurvePoint;
  readonly low: CurvePoint;
} {
  const amounts = days.map(({ total }) => Number(total));
  const [top, bottom] = [Math.max(...amounts), Math.min(...amounts)];
  const span = top - bottom;
  const points = days.map(({ total }, place) => ({
    x: round((place / Math.max(days.length - 1, 1)) * 100),
    // A wallet whose total never changed is a line through the middle.
    y: span === 0 ? 50 : round(EDGE + ((top - Number(total)) / span) * (100 - 2 * EDGE)),
    total,
  }));
  const high = points[amounts.indexOf(top)];
  const low = points[amounts.indexOf(bottom)];
  if (high === undefined || low === undefined) throw new RangeError("a curve needs a day");
  return { points, high, low };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A day's total and where it is drawn, in percent of the plot from its left and its top. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  /** Money as it came. */
  readonly total: string;
}

/** So much of the plot is left for the figures above and below the line, in percent. */
const EDGE = 24;

/** Lays a wallet's days out from left to right, and names the first of the highest and of the lowest. Throws RangeError without a day. */
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
    // A wallet that never moved is a line through the middle.
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

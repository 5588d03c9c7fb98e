import type { TrailPoint } from "../../../data/candles.ts";

/** Widths of the chart in its own units: the plot, and 70 for the labels to its right. */
export const PLOT_WIDTH = 268;
export const CHART_WIDTH = 338;

export interface Scale {
  readonly x: (at: number) => number;
  readonly y: (price: number) => number;
  /** Round prices to draw lines at, lowest first. */
  readonly grid: readonly number[];
}

/** Maps time to x by a list of (instant, x) stops, linear between them. */
export type Stops = readonly (readonly [at: number, x: number])[];

/** Distance at which two prices' labels don't touch. */
const WORDS_HEIGHT = 16;
/** Minimum height in units of the last decimal. Three lines fit into it, wherever they begin. */
const POINTS_MIN = 4;

/**
 * Returns a scale that shows every point and level with some margin, from the time stops and the plot's height. With
 * `decimals` it is at least four units of the last decimal high, so that each grid line has its own price.
 */
export function scaleOf(
  points: readonly TrailPoint[],
  levels: readonly number[],
  stops: Stops,
  height: number,
  decimals?: number,
): Scale {
  const start = stops[0]?.[0] ?? -Infinity;
  const shown = [...points.filter(({ at }) => at >= start).map(({ price }) => price), ...levels];
  const first = shown[0] ?? 1;
  let low = first;
  let high = first;
  for (const price of shown) {
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  // A flat line is placed in the middle.
  const least = decimals === undefined ? 0 : (POINTS_MIN * 10 ** -decimals - (high - low)) / 2;
  const air = Math.max((high - low || Math.abs(high) * 0.0001 || 1) * 0.12, least);
  const bottom = low - air;
  const top = high + air;
  return {
    x: (at) => placeOf(at, stops),
    y: (price) => height - ((price - bottom) / (top - bottom)) * height,
    grid: roundPrices(bottom, top, ((top - bottom) * WORDS_HEIGHT) / height),
  };
}

function placeOf(at: number, stops: Stops): number {
  for (let place = 1; place < stops.length; place += 1) {
    const [fromAt, fromX] = stops[place - 1] ?? [0, 0];
    const [toAt, toX] = stops[place] ?? [0, 0];
    if (at <= toAt || place === stops.length - 1) {
      const part = toAt === fromAt ? 1 : (at - fromAt) / (toAt - fromAt);
      return fromX + part * (toX - fromX);
    }
  }
  return 0;
}

/**
 * Returns round prices between `bottom` and `top`: at least three if they can be `closest` apart, otherwise as many as
 * fit.
 */
export function roundPrices(bottom: number, top: number, closest = 0): readonly number[] {
  const span = top - bottom;
  if (!(span > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(span));
  let prices: number[] = [];
  for (const step of [power * 5, power * 2, power, power / 2, power / 5, power / 10]) {
    if (step < closest) break;
    prices = [];
    for (let count = Math.ceil(bottom / step); count * step <= top; count += 1) prices.push(count * step);
    if (prices.length >= 3) break;
  }
  return prices;
}

/** Returns the line through the points from the first stop on, as an SVG path; empty with fewer than two. */
export function pathOf(points: readonly TrailPoint[], { x, y }: Scale, from: number): string {
  const shown = points.filter(({ at }) => at >= from);
  if (shown.length < 2) return "";
  return `M${shown.map(({ at, price }) => `${x(at).toFixed(1)} ${y(price).toFixed(1)}`).join("L")}`;
}

/** Returns the same line closed at the bottom. */
export function areaOf(points: readonly TrailPoint[], scale: Scale, from: number, height: number): string {
  const shown = points.filter(({ at }) => at >= from);
  const path = pathOf(shown, scale, from);
  const first = shown[0];
  const last = shown.at(-1);
  if (path === "" || first === undefined || last === undefined) return "";
  return `${path}L${scale.x(last.at).toFixed(1)} ${height}L${scale.x(first.at).toFixed(1)} ${height}Z`;
}

/** Returns label positions that don't touch: each at least `gap` from the one before, moved as little as needed. */
export function apart(wanted: readonly number[], gap: number, height: number): readonly number[] {
  const [first, second] = wanted;
  if (first === undefined || second === undefined || Math.abs(first - second) >= gap) return wanted;
  const middle = Math.min(Math.max((first + second) / 2, gap / 2), height - gap / 2);
  return first <= second ? [middle - gap / 2, middle + gap / 2] : [middle + gap / 2, middle - gap / 2];
}

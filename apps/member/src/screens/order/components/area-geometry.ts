import type { TrailPoint } from "../../../data/candles.ts";

/** Where things lie in the drawn chart, in its own units: the plot, and 70 for the labels right of it. */
export const PLOT_WIDTH = 268;
export const CHART_WIDTH = 338;

export interface Scale {
  readonly x: (at: number) => number;
  readonly y: (price: number) => number;
  /** Round prices to draw lines at, lowest first. */
  readonly grid: readonly number[];
}

/** Time to place: a list of (instant, x) stops, straight between them. */
export type Stops = readonly (readonly [at: number, x: number])[];

/** Two prices' words do not touch. */
const WORDS_HEIGHT = 16;
/** So many points of the last decimal are shown at least: three lines lie in them, wherever they begin. */
const POINTS_MIN = 4;

/**
 * A scale that shows every point and level with some air, from the stops in time and the plot's height. With `decimals`
 * given it is at least four points of the last one high, so that each line in it has a price of its own.
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
  // A flat line lies in the middle.
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

/** Round prices between `bottom` and `top`: at least three where they can stand `closest` apart, else as many as can. */
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

/** The line through the points from the first stop on, as an SVG path; empty with fewer than two. */
export function pathOf(points: readonly TrailPoint[], { x, y }: Scale, from: number): string {
  const shown = points.filter(({ at }) => at >= from);
  if (shown.length < 2) return "";
  return `M${shown.map(({ at, price }) => `${x(at).toFixed(1)} ${y(price).toFixed(1)}`).join("L")}`;
}

/** The same line closed to the ground. */
export function areaOf(points: readonly TrailPoint[], scale: Scale, from: number, height: number): string {
  const shown = points.filter(({ at }) => at >= from);
  const path = pathOf(shown, scale, from);
  const first = shown[0];
  const last = shown.at(-1);
  if (path === "" || first === undefined || last === undefined) return "";
  return `${path}L${scale.x(last.at).toFixed(1)} ${height}L${scale.x(first.at).toFixed(1)} ${height}Z`;
}

/** Label places that do not touch: each at least `gap` from the ones before, moved as little as needed. */
export function apart(wanted: readonly number[], gap: number, height: number): readonly number[] {
  const [first, second] = wanted;
  if (first === undefined || second === undefined || Math.abs(first - second) >= gap) return wanted;
  const middle = Math.min(Math.max((first + second) / 2, gap / 2), height - gap / 2);
  return first <= second ? [middle - gap / 2, middle + gap / 2] : [middle + gap / 2, middle - gap / 2];
}

/** Bars of a price's way, tick by tick: for charts of one order's length, which no interval fits. */
import type { TrailPoint } from "../../data/candles.ts";
import type { Bar } from "./candle-series.ts";

/** Lengths of a bar in ms. Shorter ones than the points are apart would only repeat them. */
const LENGTHS_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000] as const;
const LONGEST_MS = 60_000;
/** About one bar for every two pixels of a phone. */
const BARS_MOST = 180;

/** The shortest length of a bar with which a span has no more bars than a phone can show. */
export function trailBarMs(spanMs: number): number {
  return LENGTHS_MS.find((length) => spanMs / length <= BARS_MOST) ?? LONGEST_MS;
}

/** Bars without a gap: where no price came, the one before still holds. */
export function barsOfTrail(points: readonly TrailPoint[], lengthMs: number): readonly Bar[] {
  const bars: Bar[] = [];
  for (const { at, price } of points) {
    const time = Math.floor(at / lengthMs) * lengthMs;
    let last = bars.at(-1);
    while (last !== undefined && last.time + lengthMs < time) {
      const { close } = last;
      last = { time: last.time + lengthMs, open: close, high: close, low: close, close };
      bars.push(last);
    }
    if (last === undefined || time > last.time) {
      const open = last?.close ?? price;
      bars.push({ time, open, high: Math.max(open, price), low: Math.min(open, price), close: price });
    } else {
      const { high, low } = last;
      bars[bars.length - 1] = { ...last, high: Math.max(high, price), low: Math.min(low, price), close: price };
    }
  }
  return bars;
}

/**
 * The drawn bars with newer ones behind them; null where something else has changed too, and all must be drawn anew. Bars
 * that have moved out at the left are kept: a chart that drops them has to be drawn anew with each.
 */
export function withNewer(drawn: readonly Bar[], bars: readonly Bar[]): readonly Bar[] | null {
  const last = drawn.at(-1);
  const first = bars[0];
  if (last === undefined || first === undefined) return null;
  const from = bars.findIndex(({ time }) => time === last.time);
  if (from < 0) return null;
  const known = new Map(drawn.map(({ time, close }) => [time, close]));
  // The first bar lacks what fell out before it.
  const differs = bars.slice(1, from).some(({ time, close }) => known.get(time) !== close);
  return differs || (from > 0 && !known.has(first.time)) ? null : [...drawn.slice(0, -1), ...bars.slice(from)];
}

/** Bars made from single ticks, for charts of one order's duration, which no interval fits. */
import type { TrailPoint } from "../../data/candles.ts";
import type { Bar } from "./candle-series.ts";

/** Possible bar lengths in ms. Bars shorter than the distance between points would only repeat them. */
const LENGTHS_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000] as const;
const LONGEST_MS = 60_000;
/** About one bar for every two pixels of a phone. */
const BARS_MOST = 180;

/** Returns the shortest bar length at which a span has no more bars than a phone can show. */
export function trailBarMs(spanMs: number): number {
  return LENGTHS_MS.find((length) => spanMs / length <= BARS_MOST) ?? LONGEST_MS;
}

/** Returns bars without gaps: where no price came, the previous one still holds. */
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
 * Returns the drawn bars with newer ones appended; null if anything else has changed, so that all must be redrawn.
 * Bars that have moved out on the left are kept, because dropping them would require a full redraw each time.
 */
export function withNewer(drawn: readonly Bar[], bars: readonly Bar[]): readonly Bar[] | null {
  const last = drawn.at(-1);
  const first = bars[0];
  if (last === undefined || first === undefined) return null;
  const from = bars.findIndex(({ time }) => time === last.time);
  if (from < 0) return null;
  const known = new Map(drawn.map(({ time, close }) => [time, close]));
  // The first bar may differ, because it lacks the points that were dropped before it.
  const differs = bars.slice(1, from).some(({ time, close }) => known.get(time) !== close);
  return differs || (from > 0 && !known.has(first.time)) ? null : [...drawn.slice(0, -1), ...bars.slice(from)];
}

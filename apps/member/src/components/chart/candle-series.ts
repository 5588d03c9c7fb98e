import type { Candle } from "@fairtick/protocol";

/** Candle intervals, as `market/candles` names them. */
export const INTERVALS = ["1s", "5s", "15s", "1m", "5m", "15m", "1h", "1d"] as const;
export type Interval = (typeof INTERVALS)[number];

const INTERVAL_MS: Record<Interval, number> = {
  "1s": 1_000,
  "5s": 5_000,
  "15s": 15_000,
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": 3_600_000,
  "1d": 86_400_000,
};

export function intervalMs(interval: Interval): number {
  return INTERVAL_MS[interval];
}

/** A candle as drawn. `time` is its start in ms since 1970 UTC. */
export interface Bar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export function barOf([time, open, high, low, close]: Candle): Bar {
  return { time, open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
}

/** Returns the start of the bar that an instant is in, both in ms. */
export function barStart(at: number, length: number): number {
  return Math.floor(at / length) * length;
}

/**
 * Adds a live price to the bars: to the bar of its instant, or as a new one after the last. A price older than the
 * last bar is ignored, because `market/candles` will include it.
 */
export function withPrice(bars: readonly Bar[], price: number, at: number, length: number): readonly Bar[] {
  const time = barStart(at, length);
  const last = bars.at(-1);
  if (last === undefined || time > last.time) {
    return [...bars, { time, open: price, high: price, low: price, close: price }];
  }
  if (time < last.time) return bars;
  const bar = { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
  return [...bars.slice(0, -1), bar];
}

/**
 * Merges freshly loaded bars into the known ones. Loaded bars win, because the server has seen every tick and a live
 * bar only those that reached this device; bars outside their span stay. The newest bar keeps the live close and the
 * wider range.
 */
export function withHistory(bars: readonly Bar[], fetched: readonly Bar[]): readonly Bar[] {
  const first = fetched[0];
  const end = fetched.at(-1);
  if (first === undefined || end === undefined) return bars;
  const before = bars.filter((bar) => bar.time < first.time);
  const after = bars.filter((bar) => bar.time > end.time);
  const live = bars.find((bar) => bar.time === end.time);
  const newest =
    live === undefined
      ? end
      : { ...end, high: Math.max(end.high, live.high), low: Math.min(end.low, live.low), close: live.close };
  return [...before, ...fetched.slice(0, -1), newest, ...after];
}

/** Returns the start of a possible gap if the newest bar is more than one interval behind `now`; otherwise null. */
export function gapStart(bars: readonly Bar[], now: number, length: number): number | null {
  const last = bars.at(-1);
  if (last === undefined || now - last.time < 2 * length) return null;
  return last.time;
}

/**
 * Returns the position of an instant among bars, as an index with a fraction. Missing bars are interpolated, and
 * beyond the last bar the interval's length is used.
 */
export function indexOfInstant(bars: readonly { timestamp: number }[], at: number, lengthMs: number): number {
  const last = bars.at(-1);
  if (!last) return 0;
  if (at >= last.timestamp) return bars.length - 1 + (at - last.timestamp) / lengthMs;
  let [low, high] = [0, bars.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bars[middle]?.timestamp ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const from = bars[low]?.timestamp ?? 0;
  const to = bars[low + 1]?.timestamp ?? from + lengthMs;
  return low + (at - from) / Math.max(to - from, lengthMs);
}

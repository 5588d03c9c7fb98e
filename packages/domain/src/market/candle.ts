import type { Rate } from "../money/money.ts";
import type { Points } from "./price.ts";
import { divideDown, divideHalfEven, RATE_ONE } from "../money/rounding.ts";
import type { Tick } from "./tick.ts";
import type { Instant } from "../base/time.ts";

/** Interval name → its length in milliseconds. Each length divides the next one; the last is the UTC day. */
export const CANDLE_INTERVALS = {
  "1s": 1_000n,
  "5s": 5_000n,
  "15s": 15_000n,
  "1m": 60_000n,
  "5m": 300_000n,
  "15m": 900_000n,
  "1h": 3_600_000n,
  "1d": 86_400_000n,
} as const;
export type CandleInterval = keyof typeof CANDLE_INTERVALS;

export interface Candle {
  /** Start of its interval, a multiple of its length since 1970 UTC. The last instant is the next start − 1 ms. */
  readonly time: Instant;
  readonly open: Points;
  readonly high: Points;
  readonly low: Points;
  readonly close: Points;
}

export function candleStart(time: Instant, interval: CandleInterval): Instant {
  const length = CANDLE_INTERVALS[interval];
  return (divideDown(time, length) * length) as Instant;
}

/** Makes candles from ticks, which must be in order of time. An interval without ticks gets no candle. */
export function candlesFromTicks(ticks: Iterable<Pick<Tick, "time" | "price">>, interval: CandleInterval): Candle[] {
  return collect(ticks, interval, ({ time, price }) => ({ time, open: price, high: price, low: price, close: price }));
}

/** Makes larger candles from smaller ones, which must be in order of time and each lie within one larger interval. */
export function mergeCandles(candles: Iterable<Candle>, interval: CandleInterval): Candle[] {
  return collect(candles, interval, (candle) => candle);
}

/** Returns (price − day's open) / day's open, to the nearest millionth, with its sign; null if either is missing. */
export function changeToday(price: Points | null, dayOpen: Points | null): Rate | null {
  if (price === null || dayOpen === null || dayOpen <= 0n) return null;
  return divideHalfEven((price - dayOpen) * RATE_ONE, dayOpen) as Rate;
}

function collect<Item>(items: Iterable<Item>, interval: CandleInterval, candleOf: (item: Item) => Candle): Candle[] {
  const candles: Candle[] = [];
  let current: Candle | null = null;
  for (const item of items) {
    const part = candleOf(item);
    const time = candleStart(part.time, interval);
    if (current !== null && time < current.time) throw new Error("candles must be made in the order of time");
    if (current !== null && current.time === time) {
      current = joined(current, part);
    } else {
      if (current !== null) candles.push(current);
      current = { ...part, time };
    }
  }
  if (current !== null) candles.push(current);
  return candles;
}

function joined(earlier: Candle, later: Candle): Candle {
  return {
    time: earlier.time,
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
  };
}

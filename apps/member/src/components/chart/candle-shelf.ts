import { fetchCandles, type Interval } from "../../data/candles.ts";
import { barOf, INTERVALS, intervalMs, type Bar } from "./candle-series.ts";

/** Enough for two charts' intervals. */
const SERIES_MAX = 16;
const BARS_MAX = 2_000;
/** Maximum bars missing since, because they must fit into one call of at most 500 bars. */
const MISSING_MAX = 400;

const kept = new Map<string, readonly Bar[]>();

const keyOf = (symbol: string, interval: Interval): string => `${symbol} ${interval}`;

/** Stores a product's bars, oldest first, for the next time its chart is shown in that interval. */
export function keepBars(symbol: string, interval: Interval, bars: readonly Bar[]): void {
  if (bars.length === 0) return;
  const key = keyOf(symbol, interval);
  kept.delete(key);
  kept.set(key, bars.slice(-BARS_MAX));
  for (const oldest of kept.keys()) if (kept.size > SERIES_MAX) kept.delete(oldest);
}

/** Returns the stored bars; none if more has passed since than one call returns. `now` in ms. */
export function keptBars(symbol: string, interval: Interval, now: number): readonly Bar[] {
  const bars = kept.get(keyOf(symbol, interval)) ?? [];
  const last = bars.at(-1);
  return last !== undefined && now - last.time <= MISSING_MAX * intervalMs(interval) ? bars : [];
}

/** Bars that were requested before their chart's code was there. */
const coming = new Map<string, Promise<readonly Bar[]>>();

/** Loads a product's newest bars for a chart that is still to be created, unless some are stored. `now` in ms. */
export function loadAhead(symbol: string, interval: Interval, now: number): void {
  const key = keyOf(symbol, interval);
  if (coming.has(key) || keptBars(symbol, interval, now).length > 0) return;
  const asked = fetchCandles(symbol, interval).then((candles) => candles.map(barOf));
  coming.set(key, asked);
  asked
    .then((bars) => {
      keepBars(symbol, interval, bars);
    })
    // The chart reports it, or asks itself if it comes later.
    .catch(() => undefined)
    .finally(() => coming.delete(key));
}

/** Returns the bars of `loadAhead` while they are on their way. They may lack the newest prices. */
export function barsComing(symbol: string, interval: Interval): Promise<readonly Bar[]> | undefined {
  return coming.get(keyOf(symbol, interval));
}

/** Removes all stored bars. */
export function clearShelf(): void {
  kept.clear();
  coming.clear();
}

/**
 * Preloads a product's other intervals, those closest to `shown` first and one after another, so that choosing one
 * draws it at once. Stops silently at the first failure, and does nothing if the member asked the browser to save
 * data.
 */
export async function stockUp(symbol: string, shown: Interval, now: () => number, signal: AbortSignal): Promise<void> {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true) return;
  const place = INTERVALS.indexOf(shown);
  const distance = (interval: Interval) => Math.abs(INTERVALS.indexOf(interval) - place);
  for (const interval of INTERVALS.toSorted((one, other) => distance(one) - distance(other))) {
    if (interval === shown || keptBars(symbol, interval, now()).length > 0) continue;
    const candles = await fetchCandles(symbol, interval);
    if (signal.aborted) return;
    keepBars(symbol, interval, candles.map(barOf));
  }
}

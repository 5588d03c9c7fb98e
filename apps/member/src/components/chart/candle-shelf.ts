import { fetchCandles, type Interval } from "../../data/candles.ts";
import { barOf, INTERVALS, intervalMs, type Bar } from "./candle-series.ts";

/** Two charts' intervals. */
const SERIES_MAX = 16;
const BARS_MAX = 2_000;
/** What has passed since must come in one call, and is at most 500 bars. */
const MISSING_MAX = 400;

const kept = new Map<string, readonly Bar[]>();

const keyOf = (symbol: string, interval: Interval): string => `${symbol} ${interval}`;

/** Keeps a product's bars, oldest first, for when its chart is looked at in that interval next. */
export function keepBars(symbol: string, interval: Interval, bars: readonly Bar[]): void {
  if (bars.length === 0) return;
  const key = keyOf(symbol, interval);
  kept.delete(key);
  kept.set(key, bars.slice(-BARS_MAX));
  for (const oldest of kept.keys()) if (kept.size > SERIES_MAX) kept.delete(oldest);
}

/** The bars that were kept; none where more has passed since then than one call brings. `now` in ms. */
export function keptBars(symbol: string, interval: Interval, now: number): readonly Bar[] {
  const bars = kept.get(keyOf(symbol, interval)) ?? [];
  const last = bars.at(-1);
  return last !== undefined && now - last.time <= MISSING_MAX * intervalMs(interval) ? bars : [];
}

/** Nothing is kept any more. */
export function clearShelf(): void {
  kept.clear();
}

/**
 * Reads a product's other intervals, the nearest to `shown` first and one after another, so that choosing one draws it at
 * once. It ends quietly at the first that fails, and where the member asked the browser to save data.
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

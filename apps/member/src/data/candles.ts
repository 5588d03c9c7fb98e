import type { Candle, Instrument, marketCandles, marketTicks } from "@fairtick/protocol";
import { serverNow } from "../shared/server-clock.ts";
import { ask } from "./transport.ts";

export type Interval = "1s" | "5s" | "15s" | "1m" | "5m" | "15m" | "1h" | "1d";

/** Returns candles, oldest first: the newest `limit` (default 500) between `from` and `to`. */
export async function fetchCandles(
  symbol: Instrument["symbol"],
  interval: Interval,
  span: { readonly from?: number; readonly to?: number; readonly limit?: number } = {},
): Promise<readonly Candle[]> {
  return ask<typeof marketCandles>("market/candles", { symbol, interval, limit: 500, ...span });
}

/** A price at an instant. Used for drawing only. */
export interface TrailPoint {
  readonly at: number;
  readonly price: number;
}

const TICKS_MAX = 10_000;
/** Longest span drawn from ticks. Longer ones use closing prices: an hour has more ticks than a screen has pixels. */
const TICK_SPAN_MS_MAX = 600_000;

/** Returns the prices from `from` to `to` (default now), oldest first. */
export async function fetchTrail(symbol: string, from: number, to = Math.ceil(serverNow())): Promise<TrailPoint[]> {
  if (to - from <= TICK_SPAN_MS_MAX) {
    const ticks = await ask<typeof marketTicks>("market/ticks", { symbol, from, to, limit: TICKS_MAX });
    return ticks.map(([, at, price]) => ({ at, price: Number(price) }));
  }
  const interval: Interval = to - from <= 4_500_000 ? "5s" : "1m";
  const length = interval === "5s" ? 5_000 : 60_000;
  const candles = await fetchCandles(symbol, interval, { from: Math.floor(from), to, limit: 1000 });
  // A candle's closing price belongs to its last instant.
  return candles.map(([time, , , , close]) => ({ at: Math.min(time + length - 1, to), price: Number(close) }));
}

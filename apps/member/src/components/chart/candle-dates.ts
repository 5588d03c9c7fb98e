/**
 * The dates of candles. A day's candle begins at midnight UTC, which is the evening before west of Greenwich: it bears
 * the date of its day in UTC everywhere. All other candles bear the member's own date and time.
 */
import type { Interval } from "../../data/candles.ts";
import { formatDate, formatDateTime, formatTime, formatUtcDate } from "../../shared/format.ts";

/** Formats the start of a candle for the crosshair, to the second. */
export function formatCandleTime(at: number, interval: Interval): string {
  return interval === "1d" ? formatUtcDate(at) : `${formatDate(at)} ${formatTime(at)}`;
}

/** Formats the start of a candle to be read out, to the minute. */
export function spokenCandleTime(at: number, interval: Interval): string {
  return interval === "1d" ? formatUtcDate(at) : formatDateTime(at);
}

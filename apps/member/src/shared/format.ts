import { writeDecimal, writingOf } from "./decimal-writing.ts";
import { i18n } from "./i18n.ts";

const locale = (): string => i18n.locale || "en-US";

/** Replaces the hyphen with a true minus sign, which is as wide as the plus, so that signed figures line up. */
function withMinus(figure: string): string {
  return figure.replace("-", "−");
}

/** `"10042.5"` → `10,042.50` in the member's language. The unit is rendered separately. */
export function formatMoney(amount: string): string {
  return withMinus(writeDecimal(locale(), amount, { atLeast: 2 }));
}

/** Returns the decimal separator of the member's language. */
export function decimalSign(): "." | "," {
  return writingOf(locale()).point;
}

/** Returns the thousands separator of the member's language. */
export function groupSign(): string {
  return writingOf(locale()).group;
}

/** Groups whole digits by thousands, however many there are. */
export function groupWhole(digits: string): string {
  return writeDecimal(locale(), digits);
}

/** `"100.00"` as the text of an input field: `100,00` where a comma is usual, without thousands separators. */
export function typedDecimal(amount: string): string {
  return amount.replace(".", decimalSign());
}

/** Formats gains and losses: `+84.00`, `−101.00`, `0.00`. */
export function formatGain(amount: string): string {
  return withMinus(writeDecimal(locale(), amount, { atLeast: 2, signed: true }));
}

/** Formats a price with the decimals it came with, or with `decimals`. */
export function formatPrice(price: string, decimals?: number): string {
  return writeDecimal(locale(), price, { atLeast: decimals ?? (price.split(".")[1] ?? "").length });
}

/** `"0.0204"` → `+2.04%`. */
export function formatChange(rate: string): string {
  return withMinus(writeDecimal(locale(), rate, { atLeast: 2, signed: true, percent: true }));
}

/** `"0.85"` → `85%`, with at most `places` (1) decimals. */
export function formatRate(rate: string, places = 1): string {
  return writeDecimal(locale(), rate, { atMost: places, percent: true });
}

export function formatCount(count: number): string {
  return writeDecimal(locale(), String(count), { atMost: 3 });
}

/** Returns the direction of a signed decimal, judged by its digits, so that `-0.00` is flat. */
export function toneOf(amount: string): "up" | "down" | "flat" {
  if (!/[1-9]/.test(amount)) return "flat";
  return amount.startsWith("-") ? "down" : "up";
}

/** Formats the time left, rounded up to whole seconds: `2:13`, `1:00:00`, and `0:00` at the end. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = padded(seconds % 60, 2);
  return hours > 0 ? `${hours}:${padded(minutes, 2)}:${rest}` : `${minutes}:${rest}`;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a cached format, because creating one takes longer than all labels of a chart's axis. A new time zone gets
 * its own.
 */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${i18n.locale} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale(), options);
    dateFormats.set(key, format);
  }
  return format;
}

/**
 * Formats an instant in ms as local clock time: `14:20:33`, or with ms `14:20:33.417`. Written by hand, because all ten
 * languages write it alike, and the browser's first own format costs a slow phone a tenth of a second before the trade
 * screen is drawn.
 */
export function formatTime(at: number, withMs = false): string {
  const time = new Date(at);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => padded(part, 2)).join(":");
  return withMs ? `${clock}${decimalSign()}${padded(time.getMilliseconds(), 3)}` : clock;
}

function padded(part: number, digits: number): string {
  return String(part).padStart(digits, "0");
}

/** Formats an instant in ms as clock time in UTC: `14:20:33`, or with ms `14:20:33.417`. The caller names the zone. */
export function formatUtcTime(at: number, withMs = false): string {
  return dateFormat({
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
    ...(withMs && { fractionalSecondDigits: 3 as const }),
  }).format(at);
}

/** Formats the day of an instant in UTC. */
export function formatUtcDate(at: number): string {
  return dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(at);
}

/** Formats clock time to the minute: `14:20`. */
export function formatMinute(at: number): string {
  return dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}

/** Formats day and clock time, to the minute. */
export function formatDateTime(at: number): string {
  return dateFormat({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(at);
}

/** Formats a calendar day `YYYY-MM-DD`, the same in every time zone: 21 November 2026. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}

/** Formats an instant next to a known one: only its clock time, plus its day if that differs. */
export function formatMoment(at: number, known: number): string {
  return formatDate(at) === formatDate(known) ? formatTime(at) : formatDateTime(at);
}

export function formatDate(at: number): string {
  return dateFormat({ dateStyle: "medium" }).format(at);
}

/** Unit symbols for the languages that use them; the others have their own words. */
const UNIT_SIGNS = { second: "s", minute: "min", hour: "h" } as const;
const READS_UNIT_SIGNS = /^(?:en|de|es|it|fr)/;

/** Formats a duration in seconds as members say it: 30 s, 2 min, 1 h. */
export function formatDuration(seconds: number): string {
  const unit = (unit: keyof typeof UNIT_SIGNS, value: number) =>
    READS_UNIT_SIGNS.test(locale())
      ? `${formatCount(value)}\u00a0${UNIT_SIGNS[unit]}`
      : new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short" }).format(value);
  if (seconds >= 3600 && seconds % 3600 === 0) return unit("hour", seconds / 3600);
  if (seconds >= 120 && seconds % 60 === 0) return unit("minute", seconds / 60);
  return unit("second", seconds);
}

/** Returns a country's name in the member's language. */
export function formatRegion(iso2: string): string {
  return new Intl.DisplayNames([locale()], { type: "region" }).of(iso2) ?? iso2;
}

/** Formats weekday and clock time, for when a market opens again. */
export function formatWeekdayTime(at: number): string {
  return dateFormat({ weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}

/** Returns a weekday's short name; 0 is Monday. */
export function formatWeekday(day: number): string {
  return dateFormat({ weekday: "short", timeZone: "UTC" }).format(MONDAY + day * 86_400_000);
}
/** 5 January 1970 */
const MONDAY = 345_600_000;

/** Formats points with their sign: +10, −20. */
export function formatPoints(points: number): string {
  return writeDecimal(locale(), String(points), { signed: true });
}

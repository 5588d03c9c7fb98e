import { writeDecimal, writingOf } from "./decimal-writing.ts";
import { i18n } from "./i18n.ts";

const locale = (): string => i18n.locale || "en-US";

/** The true minus sign is as wide as the plus, so that signed figures stand in line. */
function withMinus(figure: string): string {
  return figure.replace("-", "−");
}

/** `"10042.5"` → `10,042.50` in the member's language. The unit is drawn beside it. */
export function formatMoney(amount: string): string {
  return withMinus(writeDecimal(locale(), amount, { atLeast: 2 }));
}

/** What parts whole and fraction in the member's language. */
export function decimalSign(): "." | "," {
  return writingOf(locale()).point;
}

/** What parts thousands in the member's language. */
export function groupSign(): string {
  return writingOf(locale()).group;
}

/** Whole digits with their thousands parted, as many as there are. */
export function groupWhole(digits: string): string {
  return writeDecimal(locale(), digits);
}

/** `"100.00"` as it stands in a field, to be typed on: `100,00` where a comma is usual, nothing parting thousands. */
export function typedDecimal(amount: string): string {
  return amount.replace(".", decimalSign());
}

/** Gains and losses: `+84.00`, `−101.00`, `0.00`. */
export function formatGain(amount: string): string {
  return withMinus(writeDecimal(locale(), amount, { atLeast: 2, signed: true }));
}

/** A price with the places it came with, or with `decimals`. */
export function formatPrice(price: string, decimals?: number): string {
  return writeDecimal(locale(), price, { atLeast: decimals ?? (price.split(".")[1] ?? "").length });
}

/** `"0.0204"` → `+2.04%`. */
export function formatChange(rate: string): string {
  return withMinus(writeDecimal(locale(), rate, { atLeast: 2, signed: true, percent: true }));
}

/** `"0.85"` → `85%`; at most `places` (1) after the point. */
export function formatRate(rate: string, places = 1): string {
  return writeDecimal(locale(), rate, { atMost: places, percent: true });
}

export function formatCount(count: number): string {
  return writeDecimal(locale(), String(count), { atMost: 3 });
}

/** The way a signed decimal points: by its digits, so that `-0.00` is flat. */
export function toneOf(amount: string): "up" | "down" | "flat" {
  if (!/[1-9]/.test(amount)) return "flat";
  return amount.startsWith("-") ? "down" : "up";
}

/** What is left, rounded up to whole seconds: `2:13`, `1:00:00`; ends at `0:00` once. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (part: number) => String(part).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Kept, since making one takes a chart's axis longer than all of its labels. Whoever travels gets another one. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${i18n.locale} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale(), options);
    dateFormats.set(key, format);
  }
  return format;
}

/** Clock time of an instant in ms, on the member's own clock zone: `14:20:33`, with ms `14:20:33.417`. */
export function formatTime(at: number, withMs = false): string {
  return dateFormat({
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    ...(withMs && { fractionalSecondDigits: 3 as const }),
  }).format(at);
}

/** Clock time to the minute: `14:20`. */
export function formatMinute(at: number): string {
  return dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}

/** Day and clock time, to the minute. */
export function formatDateTime(at: number): string {
  return dateFormat({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(at);
}

/** A calendar day `YYYY-MM-DD`, the same in every time zone: 21 November 2026. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}

/** An instant beside a day that is known: its clock time, and its own day where it is another one. */
export function formatMoment(at: number, known: number): string {
  return formatDate(at) === formatDate(known) ? formatTime(at) : formatDateTime(at);
}

export function formatDate(at: number): string {
  return dateFormat({ dateStyle: "medium" }).format(at);
}

/** The signs of the units themselves, where they are read as such; elsewhere the language has its own. */
const UNIT_SIGNS = { second: "s", minute: "min", hour: "h" } as const;
const READS_UNIT_SIGNS = /^(?:en|de|es|it|fr)/;

/** A length in seconds as a member says it: 30 s, 2 min, 1 h. */
export function formatDuration(seconds: number): string {
  const unit = (unit: keyof typeof UNIT_SIGNS, value: number) =>
    READS_UNIT_SIGNS.test(locale())
      ? `${formatCount(value)}\u00a0${UNIT_SIGNS[unit]}`
      : new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short" }).format(value);
  if (seconds >= 3600 && seconds % 3600 === 0) return unit("hour", seconds / 3600);
  if (seconds >= 120 && seconds % 60 === 0) return unit("minute", seconds / 60);
  return unit("second", seconds);
}

/** The country's name in the member's language. */
export function formatRegion(iso2: string): string {
  return new Intl.DisplayNames([locale()], { type: "region" }).of(iso2) ?? iso2;
}

/** Weekday and clock time: when a market opens again. */
export function formatWeekdayTime(at: number): string {
  return dateFormat({ weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}

/** A weekday's short name, 0 is Monday. */
export function formatWeekday(day: number): string {
  return dateFormat({ weekday: "short", timeZone: "UTC" }).format(MONDAY + day * 86_400_000);
}
/** 5 January 1970 */
const MONDAY = 345_600_000;

/** Points with their sign: +10, −20. */
export function formatPoints(points: number): string {
  return writeDecimal(locale(), String(points), { signed: true });
}

import { i18n } from "./i18n.ts";

function write(unit: string, value: number, unitDisplay: "long" | "short"): string {
  const options = { style: "unit", unit, unitDisplay, maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(i18n.locale || "en-US", options).format(value);
}

/** Formats a number of days as people say it: 3 days, 6 months, 5 years. */
export function formatDays(days: number): string {
  if (days >= 365) return write("year", days / 365, "long");
  return days >= 90 ? write("month", days / 30, "long") : write("day", days, "long");
}

/** Formats minutes: 45 min, 2 hr. */
export function formatMinutes(minutes: number): string {
  return minutes >= 60 && minutes % 60 === 0 ? write("hour", minutes / 60, "short") : write("minute", minutes, "short");
}

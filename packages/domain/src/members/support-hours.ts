import type { Instant } from "../base/time.ts";

/** Customer service hours in UTC: weekdays from 1 Monday to 7 Sunday, and minutes of the day. */
export interface SupportHours {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly opensAt: number;
  readonly closesAt: number;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY_MS = 86_400_000n;
const MINUTE_MS = 60_000n;

/** Parses `Mon-Fri 08:00-20:00`, in UTC; null for any other form. `Mon-Sun 00:00-24:00` is around the clock. */
export function parseSupportHours(text: string): SupportHours | null {
  const [, first = "", last = "", ...times] =
    /^([A-Z][a-z]{2})-([A-Z][a-z]{2}) (\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text) ?? [];
  const [firstDay, lastDay] = [DAYS.indexOf(first) + 1, DAYS.indexOf(last) + 1];
  const [openHour = 0, openMinute = 0, closeHour = 0, closeMinute = 0] = times.map(Number);
  const [opensAt, closesAt] = [openHour * 60 + openMinute, closeHour * 60 + closeMinute];
  const isSpan = firstDay > 0 && firstDay <= lastDay && openMinute < 60 && closeMinute < 60;
  return isSpan && opensAt < closesAt && closesAt <= 1440 ? { firstDay, lastDay, opensAt, closesAt } : null;
}

export function isSupportOpen(hours: SupportHours, now: Instant): boolean {
  // 1 January 1970 was a Thursday.
  const day = Number((now / DAY_MS + 3n) % 7n) + 1;
  const minute = Number((now % DAY_MS) / MINUTE_MS);
  return day >= hours.firstDay && day <= hours.lastDay && minute >= hours.opensAt && minute < hours.closesAt;
}

/** Returns whether customer service is open around the clock. */
export function isAlways({ firstDay, lastDay, opensAt, closesAt }: SupportHours): boolean {
  return firstDay === 1 && lastDay === 7 && opensAt === 0 && closesAt === 1440;
}

const SHORT_DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** Writes the hours in the notation of opening hours: `24/7` or `Mo-Fr 08:00-20:00`. */
export function openingHours(hours: SupportHours): string {
  if (isAlways(hours)) return "24/7";
  const day = (number: number) => SHORT_DAYS[number - 1] ?? "";
  const time = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  const days = hours.firstDay === hours.lastDay ? day(hours.firstDay) : `${day(hours.firstDay)}-${day(hours.lastDay)}`;
  return `${days} ${time(hours.opensAt)}-${time(hours.closesAt)}`;
}

import type { Instant } from "../base/time.ts";

/** A person's hours in the notation of opening hours on maps, in UTC: `24/7` or `Mo-Fr 08:00-16:00; Sa 10:00-14:00`. */

export interface HoursSpan {
  /** 0 is Monday. */
  readonly day: number;
  /** Minutes since that day's midnight; `to` may be on the next day. */
  readonly from: number;
  readonly to: number;
}

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const RULE = /^([A-Z][a-z])(?:-([A-Z][a-z]))? ([0-2][0-9]):([0-5][0-9])-([0-2][0-9]):([0-5][0-9])$/;
const DAY_MINUTES = 1_440;

/**
 * Parses opening hours into the spans of a week, from Monday on; `always` for 24/7, null if the text isn't opening
 * hours. A span that passes midnight ends on the next day.
 */
export function parseHours(text: string): readonly HoursSpan[] | "always" | null {
  if (text === "24/7") return "always";
  const spans: HoursSpan[] = [];
  for (const rule of text.split("; ")) {
    const [, first = "", last = first, fromHour, fromMinute, toHour, toMinute] = RULE.exec(rule) ?? [];
    const [start, end] = [DAYS.indexOf(first), DAYS.indexOf(last)];
    const from = Number(fromHour) * 60 + Number(fromMinute);
    const until = Number(toHour) * 60 + Number(toMinute);
    if (start < 0 || end < 0 || !(from < DAY_MINUTES && until <= DAY_MINUTES) || from === until) return null;
    const to = until < from ? until + DAY_MINUTES : until;
    const count = ((end - start + 7) % 7) + 1;
    for (let step = 0; step < count; step += 1) spans.push({ day: (start + step) % 7, from, to });
  }
  return spans.toSorted((one, other) => one.day - other.day || one.from - other.from);
}

const MINUTE_MS = 60_000n;
const DAY_MS = 86_400_000n;

/** Returns whether an instant is within one of the spans. */
export function isWithinHours(spans: readonly HoursSpan[] | "always", now: Instant): boolean {
  if (spans === "always") return true;
  // 1 January 1970 was a Thursday.
  const today = Number((now / DAY_MS + 3n) % 7n);
  const minute = Number((now % DAY_MS) / MINUTE_MS);
  return spans.some(({ day, from, to }) => {
    const since = ((today - day + 7) % 7) * DAY_MINUTES + minute;
    return since >= from && since < to;
  });
}

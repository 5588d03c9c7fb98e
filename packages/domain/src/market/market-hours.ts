import type { InstrumentTerms } from "./instrument.ts";
import { civilDate, newYorkFivePm, newYorkTime, weekday } from "./new-york.ts";
import type { Instant } from "../base/time.ts";

/**
 * Foreign exchange trades from Sunday 17:00 to Friday 17:00 in New York. Trading day D runs from 17:00 on the day
 * before to 17:00 on D, so a session is a sequence of trading days from Monday to Friday, without holidays.
 */

/** Trading days on which the market is closed worldwide, by year, as month-day. Weekends aren't listed. */
export const FX_HOLIDAYS: Readonly<Record<number, readonly string[]>> = {
  2024: ["01-01", "12-25"],
  2025: ["01-01", "12-25"],
  2026: ["01-01", "12-25"],
  2027: ["01-01"],
  2028: ["12-25"],
  2029: ["01-01", "12-25"],
  2030: ["01-01", "12-25"],
  2031: ["01-01", "12-25"],
  2032: ["01-01"],
  2033: [],
  2034: ["12-25"],
  2035: ["01-01", "12-25"],
};

const FIVE_PM_MS = 17n * 3_600_000n;
/**
 * The search for the next opening stops after this many days. No closure exceeds a weekend with holidays on both sides.
 */
const CLOSED_DAYS_MAX = 10;

type Hours = Pick<InstrumentTerms, "sessionHours">;

/** Returns whether a market is open at `at`, its closing instant included. Suspension isn't considered here. */
export function isOpenAt(terms: Hours, at: Instant): boolean {
  return isOpenThrough(terms, at, at);
}

/** Returns whether a market is open at every instant from `from` to `to`, both inclusive. */
export function isOpenThrough(terms: Hours, from: Instant, to: Instant): boolean {
  if (terms.sessionHours === "always") return true;
  const closesAt = sessionEnd(from);
  return closesAt !== null && to <= closesAt;
}

/** Returns the last instant of the session that contains `at`; null if the market is closed then or never closes. */
export function closesAt(terms: Hours, at: Instant): Instant | null {
  return terms.sessionHours === "always" ? null : sessionEnd(at);
}

/** Returns when a market next opens or closes after `at`; null if it is always open. */
export function nextChange(terms: Hours, at: Instant): Instant | null {
  if (terms.sessionHours === "always") return null;
  const end = sessionEnd(at);
  if (end !== null && end > at) return end;
  for (let day = tradingDay(at) + 1, last = day + CLOSED_DAYS_MAX; day <= last; day += 1) {
    if (isTradingDay(day)) return newYorkFivePm(day - 1);
  }
  throw new Error("the holiday table closes the market for more than ten days");
}

function sessionEnd(at: Instant): Instant | null {
  let day = tradingDay(at);
  if (!isTradingDay(day)) {
    // At exactly 17:00 one session ends, and that instant still belongs to it.
    return isTradingDay(day - 1) && newYorkFivePm(day - 1) === at ? at : null;
  }
  while (isTradingDay(day + 1)) day += 1;
  return newYorkFivePm(day);
}

function tradingDay(at: Instant): number {
  const { day, ms } = newYorkTime(at);
  return ms >= FIVE_PM_MS ? day + 1 : day;
}

function isTradingDay(day: number): boolean {
  const dayOfWeek = weekday(day);
  if (dayOfWeek === 0 || dayOfWeek === 6) return false;
  const date = civilDate(day);
  const holidays = FX_HOLIDAYS[date.year];
  if (holidays === undefined) return true;
  return !holidays.includes(`${String(date.month).padStart(2, "0")}-${String(date.day).padStart(2, "0")}`);
}

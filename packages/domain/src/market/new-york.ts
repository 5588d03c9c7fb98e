import { divideDown } from "../money/rounding.ts";
import { DAY_MS, type Instant } from "../base/time.ts";

/**
 * New York's calendar, calculated instead of taken from the machine's time zone data, so that all machines agree.
 * Daylight saving follows the Energy Policy Act of 2005, in force since 2007: from 02:00 on the second Sunday of March
 * to 02:00 on the first Sunday of November. Day numbers follow Hinnant's algorithm.
 */
const HOUR_MS = 3_600_000n;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly day: number;
}

/** Counts the days from 1970-01-01 to a date in the Gregorian calendar. */
export function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function civilDate(days: number): CivilDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

/** Returns the day of the week of a day number; 0 is Sunday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** Returns the n-th Sunday of a month as a day number. */
function sunday(year: number, month: number, n: number): number {
  const first = dayNumber(year, month, 1);
  return first + ((7 - weekday(first)) % 7) + (n - 1) * 7;
}

/** Returns the milliseconds to add to UTC for New York's wall clock: −5 h, or −4 h during daylight saving time. */
export function newYorkOffsetMs(at: Instant): bigint {
  const { year } = civilDate(Number(divideDown(at, DAY_MS)));
  // 02:00 standard time and 02:00 daylight time in UTC. Both are well inside their UTC year.
  const from = BigInt(sunday(year, 3, 2)) * DAY_MS + 7n * HOUR_MS;
  const to = BigInt(sunday(year, 11, 1)) * DAY_MS + 6n * HOUR_MS;
  return (at >= from && at < to ? -4n : -5n) * HOUR_MS;
}

/** Returns the day number in New York, and the milliseconds since midnight there. */
export function newYorkTime(at: Instant): { readonly day: number; readonly ms: bigint } {
  const local = at + newYorkOffsetMs(at);
  const day = divideDown(local, DAY_MS);
  return { day: Number(day), ms: local - day * DAY_MS };
}

/** Returns the instant at which it is 17:00 in New York on a day. Clocks never change at that hour. */
export function newYorkFivePm(day: number): Instant {
  const local = BigInt(day) * DAY_MS + 17n * HOUR_MS;
  return (local - newYorkOffsetMs((local + 5n * HOUR_MS) as Instant)) as Instant;
}

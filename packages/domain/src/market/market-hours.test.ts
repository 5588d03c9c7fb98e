import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closesAt, FX_HOLIDAYS, isOpenAt, isOpenThrough, nextChange } from "./market-hours.ts";
import { civilDate, dayNumber, newYorkFivePm, newYorkOffsetMs, newYorkTime, weekday } from "./new-york.ts";
import { startOfUtcDay, utcDay, type Instant } from "../base/time.ts";

const fx = { sessionHours: "fx-new-york" } as const;
const always = { sessionHours: "always" } as const;

/** Parses a text such as "2026-03-08 07:00:00" as UTC. */
function utc(text: string): Instant {
  const [year, month, day, hour, minute, second = 0, ms = 0] = text.split(/[-: .]/).map(Number);
  const seconds = dayNumber(year!, month!, day!) * 86_400 + hour! * 3600 + minute! * 60 + second;
  return BigInt(seconds * 1000 + ms) as Instant;
}

describe("the calendar", () => {
  it("agrees with known days in both directions", () => {
    expect(dayNumber(1970, 1, 1)).toBe(0);
    expect(dayNumber(2000, 2, 29)).toBe(11_016);
    expect(weekday(dayNumber(2026, 11, 21))).toBe(6);
    expect(weekday(-1)).toBe(3);
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), (days) => {
        const { year, month, day } = civilDate(days);
        expect(dayNumber(year, month, day)).toBe(days);
      }),
    );
  });

  it("counts UTC days, also before 1970", () => {
    expect(utcDay(-1n as Instant)).toBe(-1);
    expect(utcDay(86_400_000n as Instant)).toBe(1);
    expect(startOfUtcDay(2)).toBe(172_800_000n);
  });
});

describe("New York's clocks", () => {
  it.each([
    ["2026-03-08 06:59:59.999", -5],
    ["2026-03-08 07:00", -4],
    ["2026-11-01 05:59:59.999", -4],
    ["2026-11-01 06:00", -5],
    ["2027-03-14 07:00", -4],
    ["2027-11-07 05:59", -4],
    ["2027-11-07 06:00", -5],
    ["2027-01-01 00:00", -5],
    ["2026-07-01 00:00", -4],
    ["2028-03-12 06:59", -5],
    ["2028-03-12 07:00", -4],
  ])("at %s UTC are at UTC%i", (text, hours) => {
    expect(newYorkOffsetMs(utc(text))).toBe(BigInt(hours) * 3_600_000n);
  });

  it("agree with the time zone database at any instant from 2007 on", () => {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: "America/New_York",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    fc.assert(
      fc.property(fc.integer({ min: 1_180_000_000, max: 2_200_000_000 }), (seconds) => {
        const parts = Object.fromEntries(
          format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]),
        );
        const { day, ms } = newYorkTime((BigInt(seconds) * 1000n) as Instant);
        expect(civilDate(day)).toEqual({ year: parts["year"], month: parts["month"], day: parts["day"] });
        expect(ms / 60_000n).toBe(BigInt(parts["hour"]! * 60 + parts["minute"]!));
      }),
      { numRuns: 300 },
    );
  });

  it("show 17:00 at 21:00 UTC in summer and 22:00 in winter", () => {
    expect(newYorkFivePm(dayNumber(2026, 7, 1))).toBe(utc("2026-07-01 21:00"));
    expect(newYorkFivePm(dayNumber(2026, 12, 1))).toBe(utc("2026-12-01 22:00"));
    expect(newYorkFivePm(dayNumber(2026, 3, 8))).toBe(utc("2026-03-08 21:00"));
    expect(newYorkFivePm(dayNumber(2026, 11, 1))).toBe(utc("2026-11-01 22:00"));
    expect(newYorkFivePm(dayNumber(2026, 12, 31))).toBe(utc("2026-12-31 22:00"));
  });
});

describe("foreign exchange", () => {
  it.each([
    // The week around the start of daylight saving: closes at 22:00 UTC, opens at 21:00.
    ["2026-03-06 21:59:59.999", true],
    ["2026-03-06 22:00", true],
    ["2026-03-06 22:00:00.001", false],
    ["2026-03-08 20:59:59.999", false],
    ["2026-03-08 21:00", true],
    // And around its end: closes at 21:00 UTC, opens at 22:00.
    ["2026-10-30 21:00", true],
    ["2026-10-30 21:00:00.001", false],
    ["2026-11-01 21:59:59.999", false],
    ["2026-11-01 22:00", true],
    ["2026-11-04 03:00", true],
    // Christmas 2026 is a Friday: Thursday 17:00 is the week's end.
    ["2026-12-24 22:00", true],
    ["2026-12-24 22:00:00.001", false],
    ["2026-12-25 15:00", false],
    ["2026-12-27 22:00", true],
    // Christmas 2029 is a Tuesday: a day's gap inside the week.
    ["2029-12-24 21:59", true],
    ["2029-12-25 12:00", false],
    ["2029-12-25 22:00", true],
  ])("at %s UTC: open is %s", (text, open) => {
    expect(isOpenAt(fx, utc(text))).toBe(open);
  });

  it.each([
    ["2026-11-04 03:00", "2026-11-06 22:00"],
    ["2026-11-06 22:00", "2026-11-08 22:00"],
    ["2026-11-07 12:00", "2026-11-08 22:00"],
    ["2026-03-07 12:00", "2026-03-08 21:00"],
    ["2026-10-31 12:00", "2026-11-01 22:00"],
    ["2026-12-25 03:00", "2026-12-27 22:00"],
    ["2029-12-24 12:00", "2029-12-24 22:00"],
    ["2029-12-24 23:00", "2029-12-25 22:00"],
  ])("after %s UTC next changes at %s", (at, change) => {
    expect(nextChange(fx, utc(at))).toBe(utc(change));
  });

  it("takes an order only if the market stays open for its whole duration", () => {
    const close = utc("2026-11-06 22:00");
    expect(isOpenThrough(fx, (close - 70_000n) as Instant, close)).toBe(true);
    expect(isOpenThrough(fx, (close - 70_000n) as Instant, (close + 1n) as Instant)).toBe(false);
    expect(isOpenThrough(fx, utc("2026-11-06 12:00"), utc("2026-11-09 12:00"))).toBe(false);
    expect(closesAt(fx, utc("2026-11-04 03:00"))).toBe(close);
    expect(closesAt(fx, utc("2026-11-07 03:00"))).toBeNull();
  });

  it("changes at nextChange and not earlier", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: utc("2025-01-01 00:00"), max: utc("2035-12-01 00:00") }), (ms) => {
        const at = ms as Instant;
        const change = nextChange(fx, at)!;
        expect(change > at).toBe(true);
        const middle = ((at + change) / 2n) as Instant;
        // A session's last instant is still in it, so look one millisecond past each end.
        const open = isOpenAt(fx, (at + 1n) as Instant);
        expect([open, middle === at || isOpenAt(fx, middle) === open]).toEqual([open, true]);
        expect(isOpenAt(fx, (change + 1n) as Instant)).toBe(!open);
      }),
    );
  });

  it("has its holidays on weekdays, for ten years", () => {
    for (const [year, days] of Object.entries(FX_HOLIDAYS)) {
      for (const text of days) {
        const [month, day] = text.split("-").map(Number);
        expect([1, 2, 3, 4, 5]).toContain(weekday(dayNumber(Number(year), month!, day!)));
      }
    }
    expect(FX_HOLIDAYS[2035]).toBeDefined();
  });
});

it("is always open if it has no hours", () => {
  expect(isOpenThrough(always, 0n as Instant, utc("2099-01-01 00:00"))).toBe(true);
  expect(nextChange(always, 0n as Instant)).toBeNull();
  expect(closesAt(always, 0n as Instant)).toBeNull();
});

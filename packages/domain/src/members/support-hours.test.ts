import { describe, expect, it } from "vitest";
import { isAlways, isSupportOpen, parseSupportHours } from "./support-hours.ts";
import type { Instant } from "../base/time.ts";

/** Midnight of Friday, 20 November 2026. */
const FRIDAY = 1_795_132_800_000n;
const at = (days: number, hours: number, ms = 0) => (FRIDAY + BigInt((days * 24 + hours) * 3_600_000 + ms)) as Instant;

describe("office hours", () => {
  it.each([
    ["Friday 08:00", at(0, 8), true],
    ["just before", at(0, 8, -1), false],
    ["just before 20:00", at(0, 20, -1), true],
    ["20:00", at(0, 20), false],
    ["Saturday", at(1, 12), false],
    ["Monday", at(3, 12), true],
  ] as const)("from Monday to Friday: %s", (_when, instant, open) => {
    const hours = parseSupportHours("Mon-Fri 08:00-20:00");
    expect(hours && isSupportOpen(hours, instant)).toBe(open);
  });

  it("may be around the clock", () => {
    const hours = parseSupportHours("Mon-Sun 00:00-24:00");
    expect(hours && [isAlways(hours), isSupportOpen(hours, at(2, 23))]).toEqual([true, true]);
  });

  it.each([
    "",
    "always",
    "Mon-Fri 8-20",
    "Fri-Mon 08:00-20:00",
    "Mon-Fri 20:00-08:00",
    "Mon-Fri 08:00-24:30",
    "Mon-Xyz 08:00-20:00",
  ])("are not %s", (text) => {
    expect(parseSupportHours(text)).toBe(null);
  });
});

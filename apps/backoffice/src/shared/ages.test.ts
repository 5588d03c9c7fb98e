import { expect, it } from "vitest";
import { age, placeOfAge } from "./ages.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it.each([
  [0, "now"],
  [59_999, "now"],
  [6 * MINUTE, "6 min"],
  [HOUR, "1 h"],
  [2 * HOUR + 51 * MINUTE, "2 h 51 min"],
  [24 * HOUR, "1 d"],
  [76 * HOUR, "3 d 4 h"],
])("%i ms is shown as %s", (ms, words) => {
  expect(age(ms)).toBe(words);
});

it("places ages between now and one day, and keeps older ones at the end", () => {
  expect([0, 6 * HOUR, 24 * HOUR, 90 * HOUR].map(placeOfAge)).toEqual([0, 50, 100, 100]);
  expect(placeOfAge(-5)).toBe(0);
});

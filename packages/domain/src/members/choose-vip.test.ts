import { describe, expect, it } from "vitest";
import { chooseVip } from "./choose-vip.ts";
import { dayNumber } from "../market/new-york.ts";
import type { Instant } from "../base/time.ts";

/** A Wednesday, 10:00 UTC. */
const WEDNESDAY = at(25, 10 * 60);
const SATURDAY = at(28, 10 * 60);
/** The night from Saturday to Sunday, 01:30 UTC. */
const NIGHT = at(29, 90);

function at(day: number, minute: number): Instant {
  return BigInt(dayNumber(2026, 11, day) * 86_400_000 + minute * 60_000) as Instant;
}

const person = (operatorId: bigint, hours: string, posts: number) => ({ operatorId, hours, posts });

describe("the choice of who takes a member's post", () => {
  it.each([
    ["the only one", WEDNESDAY, [person(1n, "24/7", 9)], null, 1n],
    ["the least loaded", WEDNESDAY, [person(1n, "24/7", 3), person(2n, "24/7", 2)], null, 2n],
    ["the oldest account of equals", WEDNESDAY, [person(2n, "24/7", 2), person(1n, "24/7", 2)], null, 1n],
    ["someone on duty", WEDNESDAY, [person(1n, "Sa-Su 08:00-16:00", 0), person(2n, "We 10:00-11:00", 50)], null, 2n],
    ["no one whose hours just ended", WEDNESDAY, [person(1n, "We 09:00-10:00", 0), person(2n, "24/7", 1)], null, 2n],
    [
      "the least loaded if no one is on duty",
      SATURDAY,
      [person(1n, "Mo 08:00-09:00", 2), person(2n, "Mo 08:00-09:00", 1)],
      null,
      2n,
    ],
    ["the previous day's night shift", NIGHT, [person(1n, "24/7", 5), person(2n, "Sa 22:00-02:00", 4)], null, 2n],
    ["a second person for the second post", WEDNESDAY, [person(1n, "24/7", 0), person(2n, "24/7", 8)], 1n, 2n],
    [
      "the same person if no one else is on duty",
      WEDNESDAY,
      [person(1n, "24/7", 1), person(2n, "Mo 08:00-09:00", 0)],
      1n,
      1n,
    ],
  ])("is %s", (_, now, people, taken, expected) => {
    expect(chooseVip(people, now, taken)?.operatorId).toBe(expected);
  });

  it("returns null if support has no one", () => {
    expect(chooseVip([], WEDNESDAY)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { answerReminder, BREAK_MS, goOnSitting, readSitting, reminderDue } from "./sitting.ts";

const MINUTE = 60_000;
const START = 1_000_000;
const after = (minutes: number, answeredAt = 0) => ({
  startedAt: START,
  seenAt: START + minutes * MINUTE,
  answeredAt,
});

describe("a sitting", () => {
  it("continues after a short absence and restarts after a break", () => {
    const kept = after(5, 1);
    expect(goOnSitting(kept, kept.seenAt + BREAK_MS)).toEqual({ ...kept, seenAt: kept.seenAt + BREAK_MS });
    const late = kept.seenAt + BREAK_MS + 1;
    expect(goOnSitting(kept, late)).toEqual({ startedAt: late, seenAt: late, answeredAt: 0 });
    expect(goOnSitting(null, 7)).toEqual({ startedAt: 7, seenAt: 7, answeredAt: 0 });
  });

  it("restarts if the phone's clock was set back", () => {
    expect(goOnSitting(after(5), START - 1).startedAt).toBe(START - 1);
  });

  it.each([
    [29, 30, 0, null],
    [30, 30, 0, 30],
    [45, 30, 31, null],
    [60, 30, 31, 60],
    [61, 60, 60, null],
    [120, 60, 60, 120],
    [60, null, 0, null],
  ] as const)(
    "of %s minutes with a reminder each %s, answered after %s, is told: %s",
    (minutes, every, answeredAt, told) => {
      expect(reminderDue(after(minutes, answeredAt), every)).toBe(told);
    },
  );

  it("gives one reminder for all that became due at once", () => {
    const answered = answerReminder(after(95));
    expect(reminderDue(answered, 30)).toBeNull();
    expect(reminderDue({ ...answered, seenAt: START + 120 * MINUTE }, 30)).toBe(120);
  });

  it("is read back only if it is valid", () => {
    expect(readSitting(after(3))).toEqual(after(3));
    for (const other of [null, "x", {}, { startedAt: 1, seenAt: "2", answeredAt: 0 }])
      expect(readSitting(other)).toBeNull();
  });
});

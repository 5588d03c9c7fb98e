import { describe, expect, it } from "vitest";
import { fits, lengthNote } from "./text-length.ts";

describe("the length of an operator's text", () => {
  it.each([
    [3_199, true, {}],
    [3_200, true, { hint: "3,200 of 4,000 characters" }],
    [4_000, true, { hint: "4,000 of 4,000 characters" }],
    [4_012, false, { wrong: "Use at most 4,000 characters. This is 12 too long." }],
  ])("is counted near its maximum and refused beyond it: %i", (length, isShortEnough, note) => {
    const text = "m".repeat(length);
    expect(fits(text, 4_000)).toBe(isShortEnough);
    expect(lengthNote(text, 4_000)).toEqual(note);
  });
});

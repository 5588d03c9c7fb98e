import { describe, expect, it } from "vitest";
import type { Limits } from "../../data/limits.ts";
import { isLooser, readLimit } from "./limit-form.ts";

const LIMITS: Limits = {
  dailyLoss: "100.00",
  dailyStake: null,
  sessionMinutes: 60,
  coolOffUntil: null,
  excludedUntil: null,
  pending: [],
};

describe("a typed limit", () => {
  it.each([
    ["dailyLoss", "50", { value: "50" }],
    ["dailyLoss", " 12,50 ", { value: "12.50" }],
    ["dailyLoss", "1,000", { value: "1000" }],
    ["dailyLoss", "0", { wrong: "limits.enterAmount" }],
    ["dailyStake", "", { wrong: "limits.enterAmount" }],
    ["dailyStake", "1.234", { wrong: "fields.decimal.places", values: { places: 2 } }],
    ["dailyStake", "-5", { wrong: "fields.decimal.sign" }],
    ["sessionMinutes", "1440", { value: "1440" }],
    ["sessionMinutes", "1,440", { value: "1440" }],
    ["sessionMinutes", "１，４４０", { value: "1440" }],
    ["sessionMinutes", "1,441", { wrong: "limits.enterMinutes" }],
    ["sessionMinutes", "14,40", { wrong: "limits.enterMinutes" }],
    ["sessionMinutes", "1.440", { wrong: "limits.enterMinutes" }],
    ["sessionMinutes", "1441", { wrong: "limits.enterMinutes" }],
    ["sessionMinutes", "0", { wrong: "limits.enterMinutes" }],
    ["sessionMinutes", "1.5", { wrong: "limits.enterMinutes" }],
  ] as const)("%s %j is read as %j", (name, typed, read) => {
    expect(readLimit(name, typed, ".")).toEqual(read);
  });

  it.each([
    ["dailyLoss", "99.99", false],
    ["dailyLoss", "100.01", true],
    ["dailyLoss", "none", true],
    ["dailyStake", "1000000", false],
    ["sessionMinutes", "61", true],
    ["sessionMinutes", "9", false],
  ] as const)("%s of %s is looser than what is in force: %s", (name, value, looser) => {
    expect(isLooser(LIMITS, name, value)).toBe(looser);
  });
});

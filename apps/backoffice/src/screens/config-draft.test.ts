import { describe, expect, it } from "vitest";
import { instantOf } from "../shared/format.ts";
import { changeOf, draftOf, readDurations } from "./config-draft.ts";

const terms = {
  symbol: "EURUSD",
  name: "EUR/USD",
  decimals: 6,
  kind: "fx" as const,
  suspended: false,
  sessionHours: "always" as const,
  feeRate: "0.01",
  minStake: "1.00",
  maxStake: "1000.00",
  exposureShare: "0.20",
  durations: [
    { seconds: 30, payoutRate: "0.82" },
    { seconds: 60, payoutRate: "0.85" },
  ],
};

describe("a draft of an instrument's terms", () => {
  it("proposes nothing while nothing has changed", () => {
    expect(changeOf(terms, draftOf(terms))).toEqual({ symbol: "EURUSD" });
  });

  it("proposes only what was changed", () => {
    const draft = { ...draftOf(terms), suspended: true, maxStake: "2,000.00", durations: "60 = 0.80\n" };
    expect(changeOf(terms, draft)).toEqual({
      symbol: "EURUSD",
      suspended: true,
      maxStake: "2000.00",
      durations: [{ seconds: 60, payoutRate: "0.80" }],
    });
  });

  it("reads no durations from a mistyped line", () => {
    expect(readDurations("60 0.85")).toBeNull();
    expect(readDurations("60 = 85%")).toBeNull();
    expect(changeOf(terms, { ...draftOf(terms), durations: "sixty = 0.85" })).toBeNull();
  });

  it("reads dates as UTC", () => {
    expect(instantOf("2026-11-21T14:30")).toBe("1795271400000");
    expect(instantOf("")).toBeUndefined();
  });
});

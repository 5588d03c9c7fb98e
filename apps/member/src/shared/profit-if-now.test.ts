import { describe, expect, it } from "vitest";
import { profitIfNow, type RunningFigures } from "./profit-if-now.ts";

const order: RunningFigures = {
  direction: "up",
  stake: "100.00",
  fee: "1.00",
  payoutRate: "0.85",
  entryPrice: "1.084120",
};

describe("what a running order would bring now", () => {
  it.each([
    ["a right call pays stake × rate less the fee", order, "1.084121", "84.00"],
    ["a wrong call costs stake and fee", order, "1.084119", "-101.00"],
    ["the same price returns everything", order, "1.084120", "0.00"],
    ["equal prices of different length are equal", order, "1.08412", "0.00"],
    ["down is the other way round", { ...order, direction: "down" as const }, "1.084119", "84.00"],
    ["profit is rounded up to the cent", { ...order, stake: "1.01", fee: "0.01", payoutRate: "0.85" }, "2", "0.85"],
  ])("%s", (_, figures, live, expected) => {
    expect(profitIfNow(figures, live)).toBe(expected);
  });

  it("says nothing without an entry price or a live one", () => {
    expect(profitIfNow({ ...order, entryPrice: null }, "1")).toBeNull();
    expect(profitIfNow(order, undefined)).toBeNull();
  });
});

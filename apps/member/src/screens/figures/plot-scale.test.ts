import { describe, expect, it } from "vitest";
import { barsAroundZero, piles } from "./plot-scale.ts";

describe("bars around zero", () => {
  it("share one scale, gains above the line and losses below", () => {
    expect(barsAroundZero([30, -10, 0])).toEqual({
      zero: 0.75,
      bars: [
        { top: 0, height: 0.75 },
        { top: 0.75, height: 0.25 },
        { top: 0.75, height: 0 },
      ],
    });
  });

  it("have their line at the foot of gains alone, at the head of losses alone, in the middle of nothing", () => {
    expect(barsAroundZero([5]).zero).toBe(1);
    expect(barsAroundZero([-5]).zero).toBe(0);
    expect(barsAroundZero([0, 0])).toEqual({
      zero: 0.5,
      bars: [
        { top: 0.5, height: 0 },
        { top: 0.5, height: 0 },
      ],
    });
  });
});

describe("piles", () => {
  it("stand on each other, the highest filling the plot", () => {
    expect(piles([[2, 1, 1], [1, 0, 0], []])).toEqual([
      [
        { top: 0.5, height: 0.5 },
        { top: 0.25, height: 0.25 },
        { top: 0, height: 0.25 },
      ],
      [
        { top: 0.75, height: 0.25 },
        { top: 0.75, height: 0 },
        { top: 0.75, height: 0 },
      ],
      [],
    ]);
  });
});

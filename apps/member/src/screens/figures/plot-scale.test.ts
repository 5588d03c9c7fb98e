import { describe, expect, it } from "vitest";
import { barsAroundZero, markedColumns, piles } from "./plot-scale.ts";

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

  it("have their line at the bottom with only gains, at the top with only losses, in the middle with nothing", () => {
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

describe("stacks", () => {
  it("put bars on each other, the highest filling the plot", () => {
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

describe("the columns with a figure", () => {
  it.each([
    ["the only week", [84], 8, [0]],
    ["the highest, a loss, and the newest", [10, 90, -5, -50, 2, 40], 8, [1, 3, 5]],
    ["no lowest one where nothing was lost", [10, 90, 5, 50], 8, [1, 3]],
    ["none that would stand on another's", [80, 90, 85], 8, [1]],
    ["fewer of many, for each has less room", [...Array<number>(24).fill(1), 90, 80], 26, [24, 0]],
    ["no empty week", [0, 0, 30, 0], 8, [2]],
    ["nothing of nothing", [], 8, []],
  ])("are %s", (_, amounts, places, marked) => {
    expect(markedColumns(amounts, places)).toEqual(marked);
  });
});

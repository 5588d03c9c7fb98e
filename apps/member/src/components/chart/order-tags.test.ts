import { describe, expect, it, test } from "vitest";
import { countdownRows, isTaken, tagBox } from "./order-tags.ts";

describe("countdowns of running orders", () => {
  test.each([
    ["are all written where there is room", 3, 300, { written: 3, counted: 0 }],
    ["up to four of them", 4, 300, { written: 4, counted: 0 }],
    ["are counted from the fourth on where there are more", 6, 300, { written: 3, counted: 3 }],
    ["are counted sooner in a low chart, whose edge would cut them", 6, 98, { written: 2, counted: 4 }],
    ["leave the first alone where there is one row", 5, 40, { written: 1, counted: 0 }],
    ["are none before there is a height", 0, 0, { written: 0, counted: 0 }],
  ])("%s", (_, count, heightPx, rows) => {
    expect(countdownRows(count, { topPx: 14, heightPx })).toEqual(rows);
  });
});

describe("a tag over others", () => {
  const taken = [tagBox(100, 50, 60)];

  it("lies over one that it reaches into, from any side", () => {
    expect(isTaken(tagBox(150, 60, 60), taken)).toBe(true);
    expect(isTaken(tagBox(50, 40, 60), taken)).toBe(true);
    expect(isTaken(tagBox(110, 50, 20), taken)).toBe(true);
  });

  it("lies beside one that it touches", () => {
    expect(isTaken(tagBox(160, 50, 60), taken)).toBe(false);
    expect(isTaken(tagBox(100, 72, 60), taken)).toBe(false);
    expect(isTaken(tagBox(100, 50, 60), [])).toBe(false);
  });
});

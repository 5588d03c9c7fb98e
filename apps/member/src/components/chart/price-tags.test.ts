import { describe, expect, test } from "vitest";
import { hasCountdown, newestTagSpan, placeTags, tagSpan, yieldingTicks } from "./price-tags.ts";

describe("the countdown under the newest price", () => {
  test.each([
    ["is written in a pane that is high enough", true, 180, true],
    ["is left out in a lower one, whose edge would cut it", true, 179, false],
    ["is left out before the chart has a height", true, 0, false],
    ["stays away where the member turned it off", false, 400, false],
  ])("%s", (_, isWanted, height, isWritten) => {
    expect(hasCountdown(isWanted, height)).toBe(isWritten);
  });
});

describe("labels beside the tags of prices", () => {
  const ticks = [20, 60, 100, 140].map((coord) => ({ coord, value: coord, text: `at ${coord}` }));
  const shown = (tags: Parameters<typeof yieldingTicks>[1]) => yieldingTicks(ticks, tags).map(({ text }) => text);

  test("are all shown if no tag is near", () => {
    expect(shown(() => [tagSpan(40), tagSpan(120)])).toEqual(["at 20", "at 60", "at 100", "at 140"]);
  });

  test("give way to a tag that would touch them, and to the countdown", () => {
    const terms = { paneHeightPx: 200, countdown: false };
    expect(shown(() => [newestTagSpan(75, terms)])).toEqual(["at 20", "", "at 100", "at 140"]);
    expect(shown(() => [newestTagSpan(80, { ...terms, countdown: true })])).toEqual(["at 20", "at 60", "", "at 140"]);
    expect(shown(() => [newestTagSpan(75, { ...terms, countdown: true })])).toEqual(["at 20", "", "", "at 140"]);
  });

  test("give way at the pane's edge, where the tag of a price out of view is", () => {
    const terms = { paneHeightPx: 150, countdown: false };
    expect(shown(() => [newestTagSpan(-500, terms)])).toEqual(["", "at 60", "at 100", "at 140"]);
    expect(shown(() => [newestTagSpan(900, terms)])).toEqual(["at 20", "at 60", "at 100", ""]);
  });

  test("come back when the price has moved on, without a new layout", () => {
    let y = 60;
    const laid = yieldingTicks(ticks, () => [tagSpan(y)]);
    expect(laid[1]?.text).toBe("");
    y = 100;
    expect(laid.map(({ text }) => text)).toEqual(["at 20", "at 60", "", "at 140"]);
    expect(laid.map(({ coord }) => coord)).toEqual([20, 60, 100, 140]);
  });
});

describe("tags of running entries", () => {
  const newest = newestTagSpan(100, { paneHeightPx: 200, countdown: true });

  test.each([
    ["stay at their prices where there is room", [40, 160], [40, 160]],
    ["stand above the newest price that they are just above", [95], [80]],
    ["stand below its countdown if they are below it", [105], [140]],
    ["stack on both sides, in the order of their prices", [99, 90, 101, 102], [80, 60, 140, 160]],
    ["stay in the pane with their price", [4, 198], [10, 190]],
    ["stay out of it with a price that is out of sight", [-300, 900], [-300, 900]],
    ["give way where the pane has no more room, the first of them last", [85, 84, 83, 82, 81], [80, 60, 40, 20, null]],
    ["give way to the newest price at the pane's edge", [130, 150, 170, 196], [140, 160, 180, null]],
  ])("%s", (_, wanted, places) => {
    expect(placeTags(wanted, { newest, paneHeightPx: 200 })).toEqual(places);
  });

  test("don't need a newest price", () => {
    expect(placeTags([50, 55], { newest: null, paneHeightPx: 200 })).toEqual([50, 70]);
  });
});

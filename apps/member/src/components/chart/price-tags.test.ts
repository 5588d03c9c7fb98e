import { describe, expect, test } from "vitest";
import { countdownSide, newestTagSpan, placeTags, tagSpan, yieldingTicks } from "./price-tags.ts";

describe("the countdown beside the newest price", () => {
  test.each([
    ["is below it where both fit", 100, 200, "below", "below"],
    ["is below it as long as it isn't cut", 170, 200, "below", "below"],
    ["is above it where the pane's edge would cut it", 171, 200, "below", "above"],
    ["is above a price that is out of view further down", 900, 200, "below", "above"],
    ["is below a price that is out of view further up", -900, 200, "below", "below"],
    ["stays above until there is clearly room below", 165, 200, "above", "above"],
    ["moves back below then", 162, 200, "above", "below"],
    ["is in a low pane too", 120, 130, "below", "above"],
    ["is left out where it would hide the labels", 40, 99, "below", null],
    ["is left out before the chart has a height", 0, 0, "below", null],
  ] as const)("%s", (_, y, paneHeightPx, before, side) => {
    expect(countdownSide(y, { paneHeightPx, before })).toBe(side);
  });

  test.each([100, 130, 180, 400])("is whole in a pane of %i px, wherever the price is", (paneHeightPx) => {
    for (let y = -50; y < paneHeightPx + 50; y += 1) {
      const countdown = countdownSide(y, { paneHeightPx, before: "below" });
      const { from, to, middle } = newestTagSpan(y, { paneHeightPx, countdown });
      expect(to - from).toBe(40);
      expect(countdown === "below" ? to : from).toBe(countdown === "below" ? middle + 30 : middle - 30);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(paneHeightPx);
    }
  });
});

describe("labels beside the tags of prices", () => {
  const ticks = [20, 60, 100, 140].map((coord) => ({ coord, value: coord, text: `at ${coord}` }));
  const shown = (tags: Parameters<typeof yieldingTicks>[1]) => yieldingTicks(ticks, tags).map(({ text }) => text);

  test("are all shown if no tag is near", () => {
    expect(shown(() => [tagSpan(40), tagSpan(120)])).toEqual(["at 20", "at 60", "at 100", "at 140"]);
  });

  test("give way to a tag that would touch them, and to the countdown", () => {
    const terms = { paneHeightPx: 200, countdown: null };
    expect(shown(() => [newestTagSpan(75, terms)])).toEqual(["at 20", "", "at 100", "at 140"]);
    expect(shown(() => [newestTagSpan(80, { ...terms, countdown: "below" })])).toEqual([
      "at 20",
      "at 60",
      "",
      "at 140",
    ]);
    expect(shown(() => [newestTagSpan(75, { ...terms, countdown: "below" })])).toEqual(["at 20", "", "", "at 140"]);
  });

  test("give way to a countdown above the price", () => {
    expect(shown(() => [newestTagSpan(100, { paneHeightPx: 125, countdown: "above" })])).toEqual([
      "at 20",
      "at 60",
      "",
      "at 140",
    ]);
    expect(shown(() => [newestTagSpan(80, { paneHeightPx: 105, countdown: "above" })])).toEqual([
      "at 20",
      "",
      "at 100",
      "at 140",
    ]);
  });

  test("give way at the pane's edge, where the tag of a price out of view is", () => {
    const terms = { paneHeightPx: 150, countdown: null };
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
  const newest = newestTagSpan(100, { paneHeightPx: 200, countdown: "below" });

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

  test("stand on both sides of a price with its countdown above", () => {
    const low = newestTagSpan(170, { paneHeightPx: 200, countdown: "above" });
    expect(placeTags([169, 172], { newest: low, paneHeightPx: 200 })).toEqual([130, 190]);
  });

  test("don't need a newest price", () => {
    expect(placeTags([50, 55], { newest: null, paneHeightPx: 200 })).toEqual([50, 70]);
  });
});

import { expect, test } from "vitest";
import { placeTimeTags, timeTagSpan } from "./time-tags.ts";

test.each([
  ["stand at their times", [100, 200], [100, 200]],
  ["are moved in from both edges", [3, 298], [35, 265]],
  ["are left out beyond them", [-1, 150, 301], [null, 150, null]],
  ["are left out over one that ends before", [100, 130, 180], [100, null, 180]],
])("expiry times %s", (_, wanted, places) => {
  expect(placeTimeTags(wanted, 300)).toEqual(places);
});

test("a label of the time axis gives way to a tag that reaches it", () => {
  expect(timeTagSpan(100)).toEqual({ from: 65, to: 135 });
});

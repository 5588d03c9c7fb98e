// @vitest-environment jsdom
import { beforeEach, expect, it } from "vitest";
import { choose } from "./route.ts";

beforeEach(() => {
  location.hash = "#/withdrawals?view=review";
});

it("keeps the view of a queue when a case of it is chosen, and drops it on another screen", () => {
  choose("withdrawals", "WD-1");
  expect(location.hash).toBe("#/withdrawals/WD-1?view=review");
  choose("withdrawals", null);
  expect(location.hash).toBe("#/withdrawals?view=review");
  choose("deposits", "DP-1");
  expect(location.hash).toBe("#/deposits/DP-1");
});

import { RECEIPT_CHECKS } from "@fairtick/transparency";
import { expect, test } from "vitest";
import { OWN_CHECKS } from "../../data/proof/own-checks.ts";
import type { Check } from "../../data/proof/verify-order.ts";
import { SENTENCES, sentencesOf } from "./sentences.ts";

const ALL = [...RECEIPT_CHECKS, ...OWN_CHECKS];

function checks(states: Partial<Record<Check["id"], Check["state"]>> = {}): readonly Check[] {
  return ALL.map((id) => ({ id, state: states[id] ?? "ok", values: {} }) as Check);
}

test("every check of the verifier and of the app belongs to exactly one sentence", () => {
  const said = Object.values(SENTENCES).flat();
  expect(said.toSorted()).toEqual([...new Set(ALL)].toSorted());
});

test("six sentences, each as good as the worst of its checks", () => {
  const states = (found: readonly Check[]) =>
    Object.fromEntries(sentencesOf(found).map(({ id, state }) => [id, state]));
  const good = { accepted: "ok", bound: "ok", ticks: "ok", source: "ok", result: "ok", log: "ok" };
  expect(states(checks())).toEqual(good);
  expect(states(checks({ replay: "pending" }))).toEqual({ ...good, source: "pending" });
  expect(states(checks({ exit: "failed", prices: "pending" }))).toEqual({ ...good, ticks: "failed" });
  expect(states(checks({ log: "unchecked", entries: "pending" }))).toEqual({ ...good, log: "unchecked" });
});

test("what another device can't compare leaves no gap, but a fault in it counts", () => {
  expect(sentencesOf(checks({ kept: "unchecked", heads: "unchecked" })).every(({ state }) => state === "ok")).toBe(
    true,
  );
  expect(sentencesOf(checks({ kept: "failed" }))[0]?.state).toBe("failed");
});

test("for a receipt that can't be parsed, only what was checked counts as failed", () => {
  const found = sentencesOf([{ id: "shown", state: "failed", values: {} }]);
  expect(found.map(({ state }) => state)).toEqual([
    "unchecked",
    "unchecked",
    "unchecked",
    "unchecked",
    "failed",
    "unchecked",
  ]);
});

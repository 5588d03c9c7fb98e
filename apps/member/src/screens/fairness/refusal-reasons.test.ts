import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REFUSAL_REASONS } from "./refusal-reasons.ts";

const ROOT = join(import.meta.dirname, "../../../../..");
const words = JSON.parse(readFileSync(join(ROOT, "packages/i18n/catalogues/en/refusal.json"), "utf8")) as object;
const rules = readFileSync(join(ROOT, "packages/domain/src/orders/place-orders.ts"), "utf8");

it("has a message for each reason, and a reason for each message", () => {
  expect(Object.keys(words).toSorted()).toEqual([...REFUSAL_REASONS].map((reason) => `refusal.${reason}`).toSorted());
});

it("includes every reason that the rules name", () => {
  // The docblock of `placeOrders` lists them in their order of precedence.
  const [, listed = ""] = /Refuses, in order: ([^]*?) A client id that/.exec(rules) ?? [];
  const named = listed.match(/\b[A-Z]{4,}(?:_[A-Z]+)*\b/g) ?? [];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((reason) => !REFUSAL_REASONS.has(reason))).toEqual([]);
});

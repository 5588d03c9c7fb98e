import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REFUSAL_REASONS } from "./refusal-reasons.ts";

const ROOT = join(import.meta.dirname, "../../../../..");
const words = JSON.parse(readFileSync(join(ROOT, "packages/i18n/catalogues/en/refusal.json"), "utf8")) as object;

it("has a message for each reason, and a reason for each message", () => {
  expect(Object.keys(words).toSorted()).toEqual([...REFUSAL_REASONS].map((reason) => `refusal.${reason}`).toSorted());
});

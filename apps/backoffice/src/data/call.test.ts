import { expect, it } from "vitest";
import { spoken } from "./call.ts";

it.each([
  ["reference is missing", "Reference is missing"],
  ["legalAge is not valid", "Legal age is not valid"],
  ["regions.legalAge is not valid", "Legal age is not valid"],
  ["texts was sent more than once", "Texts was sent more than once"],
  ["Amount is missing", "Amount is missing"],
  ["This has changed in the meantime", "This has changed in the meantime"],
])("%s is said as %s", (sentence, words) => {
  expect(spoken(sentence)).toBe(words);
});

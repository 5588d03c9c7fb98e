import { expect, it } from "vitest";
import { spoken } from "./call.ts";

it.each([
  ["reference is missing", "Reference is missing"],
  ["legalAge isn’t valid", "Legal age isn’t valid"],
  ["regions.legalAge isn’t valid", "Legal age isn’t valid"],
  ["texts was sent more than once", "Texts was sent more than once"],
  ["Amount is missing", "Amount is missing"],
  ["Someone changed this while you were working", "Someone changed this while you were working"],
])("%s is shown as %s", (sentence, words) => {
  expect(spoken(sentence)).toBe(words);
});

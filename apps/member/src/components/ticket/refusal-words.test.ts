// @vitest-environment jsdom
import { beforeAll, expect, it } from "vitest";
import { activateAllWords, text } from "../../shared/i18n.ts";
import { refusalOnButton } from "./refusal-words.ts";

beforeAll(() => activateAllWords());

it.each([
  ["", "FIELD_MISSING", "Enter an amount"],
  ["25.555", "FIELD_INVALID", "Check the amount"],
  ["abc", "FIELD_INVALID", "Check the amount"],
] as const)("says on a button what is to be done about the amount %j", (typed, error, words) => {
  expect(refusalOnButton(text, { error, field: "stake", params: { typed } })).toBe(words);
});

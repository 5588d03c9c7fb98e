import { expect, it } from "vitest";
import { plainWords } from "./search-words.ts";

it.each([
  ["Åland ", "aland"],
  ["Dólar", "dolar"],
  ["Đô la / yên", "do la / yen"],
  ["Ｂｔｃ１", "btc1"],
  ["ビットコイン", "ヒットコイン"],
])("%j is searched as %j", (words, plain) => {
  expect(plainWords(words)).toBe(plain);
});

it("finds the same word written with half-width letters", () => {
  expect(plainWords("ﾄﾞﾙ")).toBe(plainWords("ドル"));
});

import type { CannedAnswer } from "@fairtick/protocol/operator";
import { describe, expect, it } from "vitest";
import { titleOf, wordsFor } from "./canned.ts";

const own: CannedAnswer = {
  name: "cnd_1",
  own: { title: "Holidays", savedBy: { operatorId: "opr_1", login: "support-1", name: "Ana" }, savedAt: 1 },
  texts: [
    { language: "en", text: "We are away." },
    { language: "de", text: "Wir sind nicht da." },
  ],
};

describe("a canned answer", () => {
  it("is in the member's language, or in English if it has no translation", () => {
    expect(wordsFor(own, "de")).toEqual({ words: "Wir sind nicht da.", isFallback: false });
    expect(wordsFor(own, "en")).toEqual({ words: "We are away.", isFallback: false });
    expect(wordsFor(own, "yue")).toEqual({ words: "We are away.", isFallback: true });
  });

  it("is listed by its title; a built-in one by ours", () => {
    expect(titleOf(own)).toBe("Holidays");
    expect(titleOf({ name: "hello", own: null, texts: [] })).toBe("Greeting");
  });
});

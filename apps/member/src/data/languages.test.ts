// @vitest-environment jsdom
import { LANGUAGES } from "@fairtick/i18n";
import { describe, expect, it } from "vitest";
import { offeredLanguages } from "./languages.ts";

const answer = (data: unknown) => JSON.stringify({ code: 200, msg: "OK", data });
const shown = (stored: string | null) =>
  offeredLanguages(stored).map(({ code, tag, nativeName }) => [code, tag, nativeName]);

describe("the stored answer of the languages call", () => {
  it("sets order and names; the tag for the fonts is the app's own", () => {
    const stored = answer([
      { code: "fr", lang: "fr_FR", name: "French", nativeName: "français (France)" },
      { code: "en", lang: "en_US", name: "English" },
    ]);
    expect(shown(stored)).toEqual([
      ["fr", "fr", "français (France)"],
      ["en", "en", "English"],
    ]);
  });

  it("leaves out a language without a catalogue here, and one that is listed twice", () => {
    expect(shown(answer([{ code: "tlh" }, "en", null, { code: "de" }, { code: "de" }]))).toEqual([
      ["de", "de", "Deutsch"],
    ]);
  });

  it.each([
    ["none", null],
    ["not JSON", "as it was"],
    ["a refusal", JSON.stringify({ code: 500, msg: "", data: null })],
    ["no language", answer([])],
    ["only unknown languages", answer([{ code: "tlh", nativeName: "tlhIngan" }])],
  ])("all ten are offered if it is %s", (_, stored) => {
    expect(offeredLanguages(stored)).toBe(LANGUAGES);
  });
});

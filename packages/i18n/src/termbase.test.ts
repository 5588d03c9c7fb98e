import { describe, expect, it } from "vitest";
import { LANGUAGES } from "./languages.ts";
import { checkTermsOf, findForbidden, findMissing, readTermbase, type Termbase } from "./termbase.ts";

describe("the words of each language", () => {
  it.each(LANGUAGES.map(({ code }) => code))("match the termbase in %s", (code) => {
    expect(checkTermsOf(code)).toEqual([]);
  });

  it.each(LANGUAGES.map(({ code }) => code))("exist for every concept in %s, with few exceptions", (code) => {
    const { terms, exceptions } = readTermbase(code);
    expect(Object.keys(terms).toSorted()).toEqual(Object.keys(readTermbase("en").terms).toSorted());
    expect(Object.keys(exceptions).length).toBeLessThan(40);
  });
});

describe("the check of words", () => {
  const termbase = (part: Partial<Termbase>): Termbase => ({ terms: {}, never: {}, exceptions: {}, ...part });
  const english = {
    messages: { "a.one": "Your stake is held", "a.two": "{stake} paid", "a.three": "Mistaken" },
    termbase: termbase({ terms: { stake: ["stake"], expiry: ["expiry"] } }),
  };

  it("reports a message without the concept's word, but not one that only has a value of that name", () => {
    const messages = { "a.one": "Ihr Betrag wird gehalten", "a.two": "{stake} gezahlt", "a.three": "Falsch" };
    const words = { terms: { stake: ["einsatz", "einsätz"], expiry: ["ablauf"] } };
    expect(findMissing("de", english, { messages, termbase: termbase(words) })).toEqual([
      'de: a.one does not say "einsatz" or "einsätz"',
    ]);
  });

  it("accepts inflected words and exceptions", () => {
    const words = { terms: { stake: ["einsatz", "einsätz"], expiry: ["ablauf"] } };
    const inflected = { "a.one": "Ihre Einsätze werden gehalten", "a.two": "", "a.three": "" };
    expect(findMissing("de", english, { messages: inflected, termbase: termbase(words) })).toEqual([]);
    const excepted = termbase({ ...words, exceptions: { "a.one": "said otherwise" } });
    expect(findMissing("de", english, { messages: { "a.one": "Gehalten" }, termbase: excepted })).toEqual([]);
  });

  it("reads words as if they had no soft hyphens", () => {
    const words = termbase({ terms: { stake: ["einsatz"], expiry: ["ablauf"] }, never: { einsatzgeld: "Einsatz" } });
    const messages = { "a.one": "Ihr Ein\u00ADsatz", "a.two": "Ein\u00ADsatzgeld", "a.three": "" };
    expect(findMissing("de", english, { messages, termbase: words })).toEqual([]);
    expect(findForbidden("de", messages, words)).toEqual(['de: a.two says "einsatzgeld", use "Einsatz"']);
  });

  it("reports a concept without a word", () => {
    const messages = { "a.one": "Einsatz" };
    expect(findMissing("de", english, { messages, termbase: termbase({ terms: { stake: ["einsatz"] } }) })).toEqual([
      'de: there is no word for "expiry"',
    ]);
  });

  it("reports forbidden words in any case, except in exceptions", () => {
    const never = { bonitätswert: "Punktestand" };
    const messages = { "a.one": "Ihr Bonitätswert", "a.two": "Bonitätswert" };
    expect(findForbidden("de", messages, termbase({ never, exceptions: { "a.two": "a quotation" } }))).toEqual([
      'de: a.one says "bonitätswert", use "Punktestand"',
    ]);
  });
});

import { LANGUAGES, type LanguageCode } from "@fairtick/i18n";
import { readMessagesOf } from "@fairtick/i18n/catalogues";
import { mayReadAsEnglish } from "@fairtick/i18n/same-as-english";

/** Short words of which an English sentence has several, and a sentence in another language at most two. */
const ENGLISH = new Set(["the", "and", "of", "your", "you", "is", "are", "with", "for", "that", "was", "not", "this"]);
const ENGLISH_WORDS_MAX = 2;

/** Returns the texts that are in English on a screen of another language, or that are an id or a placeholder. */
export function findUntranslated(said: readonly string[], code: LanguageCode): readonly string[] {
  const english = readMessagesOf("en");
  const own = new Set(Object.values(readMessagesOf(code)));
  const left = new Set(Object.values(english).filter((words) => !own.has(words) && !mayReadAsEnglish(words, code)));
  // The list of languages shows each language's own name.
  for (const { nativeName } of LANGUAGES) left.delete(nativeName);
  return said.flatMap((words) => {
    if (Object.hasOwn(english, words)) return [`shows the id ${words}`];
    if (/\{[a-z]+[,}]/i.test(words)) return [`shows a placeholder: “${words}”`];
    if (code === "en") return [];
    if (left.has(words)) return [`stands in English: “${words}”`];
    const small = words
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => ENGLISH.has(word));
    return new Set(small).size > ENGLISH_WORDS_MAX ? [`reads as English: “${words.slice(0, 120)}”`] : [];
  });
}

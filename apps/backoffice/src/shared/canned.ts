import type { CannedAnswer } from "@fairtick/protocol/operator";
import type { Code } from "./LanguageChoice.tsx";
import { WORDS } from "./words.ts";

/** Returns the title that operators see. */
export function titleOf({ name, own }: CannedAnswer): string {
  return own?.title ?? WORDS.canned[name as keyof typeof WORDS.canned];
}

/** Returns an answer in the member's language, or in English when there is no translation (`isFallback`). */
export function wordsFor({ texts }: CannedAnswer, language: Code) {
  const inLanguage = (code: Code) => texts.find((each) => each.language === code)?.text;
  const words = inLanguage(language);
  return { words: words ?? inLanguage("en") ?? "", isFallback: words === undefined };
}

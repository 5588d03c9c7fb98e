import type { CannedAnswer } from "@fairtick/protocol/operator";
import type { Code } from "./LanguageChoice.tsx";
import { WORDS } from "./words.ts";

/** What operators know an answer by. */
export function titleOf({ name, own }: CannedAnswer): string {
  return own?.title ?? WORDS.canned[name as keyof typeof WORDS.canned];
}

/** An answer in a member's language; English where it is not written in it. */
export function wordsFor({ texts }: CannedAnswer, language: Code) {
  const inLanguage = (code: Code) => texts.find((each) => each.language === code)?.text;
  const words = inLanguage(language);
  return { words: words ?? inLanguage("en") ?? "", isFallback: words === undefined };
}

import { plainWords } from "@fairtick/ui/search-words.ts";
import type { Searchable } from "./help-search.ts";

const SUGGESTED_MAX = 3;
const LETTERS_MIN = 4;
/** Scripts without spaces, where two characters together are the smallest useful search unit. */
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns the articles that share most words with a question; a word in the title counts three times. Returns none if
 * no word is shared, so that a greeting suggests nothing.
 */
export function suggestHelp<Article extends Searchable>(articles: readonly Article[], question: string): Article[] {
  const wanted = partsOf(question);
  return articles
    .map((article) => {
      const title = plainWords(article.title);
      const words = plainWords(article.words);
      const score = wanted.reduce(
        (sum, part) => sum + (title.includes(part) ? 3 : 0) + (words.includes(part) ? 1 : 0),
        0,
      );
      return { article, score };
    })
    .filter(({ score }) => score >= 2)
    .sort((one, other) => other.score - one.score)
    .slice(0, SUGGESTED_MAX)
    .map(({ article }) => article);
}

function partsOf(question: string): string[] {
  const parts = plainWords(question)
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap(partsOfWord);
  return [...new Set(parts)];
}

function partsOfWord(word: string): string[] {
  if (IDEOGRAPHS.test(word)) return pairsOf(word);
  return word.length >= LETTERS_MIN ? [word] : [];
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.slice(1).map((character, place) => `${characters[place] ?? ""}${character}`);
}

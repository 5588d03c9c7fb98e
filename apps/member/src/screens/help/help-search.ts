import { plainWords } from "@fairtick/ui/search-words.ts";

export interface Searchable {
  readonly topic: string;
  readonly title: string;
  readonly words: string;
}

/**
 * Returns articles that contain every word. Those with a match in the title come first; otherwise the order is kept.
 */
export function searchHelp<Article extends Searchable>(articles: readonly Article[], wanted: string): Article[] {
  const words = plainWords(wanted)
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = articles
    .map((article) => ({ article, title: plainWords(`${article.title} ${article.topic}`) }))
    .filter(({ article, title }) => {
      const all = `${title} ${plainWords(article.words)}`;
      return words.every((word) => all.includes(word));
    });
  const inTitle = ({ title }: { title: string }) => words.some((word) => title.includes(word));
  return [...found.filter(inTitle), ...found.filter((one) => !inTitle(one))].map(({ article }) => article);
}

/** Groups articles by topic, in the order of each topic's first article. */
export function byTopic<Article extends Searchable>(articles: readonly Article[]): (readonly [string, Article[]])[] {
  return [...Map.groupBy(articles, ({ topic }) => topic)];
}

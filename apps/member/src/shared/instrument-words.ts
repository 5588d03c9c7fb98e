import type { MessageId } from "@fairtick/i18n";
import { currentLanguage, i18n, type Text } from "./i18n.ts";

interface Titled {
  readonly symbol: string;
  readonly title?: string | undefined;
  readonly titles?: Readonly<Record<string, string>> | undefined;
}

/**
 * What an instrument is, in words: "Euro / dollar", "Gold". One that operators added, for which no catalogue has words, bears
 * the title that they gave it in this language, else the English one.
 */
export function instrumentWords(t: Text, { symbol, title, titles }: Titled): string {
  const id = `shell.instrument.${symbol}`;
  if (i18n.messages[id] !== undefined) return t(id as MessageId);
  return titles?.[currentLanguage().code] ?? title ?? symbol;
}

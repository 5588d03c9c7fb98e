import type { MessageId } from "@fairtick/i18n";
import { currentLanguage, i18n, type Text } from "./i18n.ts";

interface Titled {
  readonly symbol: string;
  readonly title?: string | undefined;
  readonly titles?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a description of an instrument, such as "Euro / dollar" or "Gold". If the catalogues have none, because
 * operators added the instrument, returns the title they gave it in this language, or else in English.
 */
export function instrumentWords(t: Text, { symbol, title, titles }: Titled): string {
  const id = `shell.instrument.${symbol}`;
  if (i18n.messages[id] !== undefined) return t(id as MessageId);
  return titles?.[currentLanguage().code] ?? title ?? symbol;
}

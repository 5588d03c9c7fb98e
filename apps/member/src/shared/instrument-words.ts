import type { MessageId } from "@fairtick/i18n";
import { plainWords } from "@fairtick/ui/search-words.ts";
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

/**
 * Returns whether a search for `words` finds the instrument by its symbol, name or description. Accents, spaces and
 * slashes don't matter: "eurusd" and "euro dolar" find "EUR/USD", "Euro / dólar".
 */
export function fitsInstrument(
  { symbol, name }: { readonly symbol: string; readonly name: string },
  described: string,
  words: string,
): boolean {
  return [symbol, name, described].map(letters).join(" ").includes(letters(words));
}

function letters(words: string): string {
  return plainWords(words).replaceAll(/[\s/]/g, "");
}

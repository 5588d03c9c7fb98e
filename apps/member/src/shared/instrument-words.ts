import type { MessageId } from "@fairtick/i18n";
import { i18n, type Text } from "./i18n.ts";

/** What an instrument is, in words: "Euro / dollar", "Gold". One we have no words for bears its symbol. */
export function instrumentWords(t: Text, instrument: { readonly symbol: string }): string {
  const id = `shell.instrument.${instrument.symbol}`;
  return i18n.messages[id] === undefined ? instrument.symbol : t(id as MessageId);
}

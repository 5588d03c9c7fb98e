import { i18n } from "./i18n.ts";

const ENDS = /[.!?。！？…:：]["'»”’）)]*$/;

/** Joins sentences, adding the current language's full stop to those without an end. */
export function joinSentences(...sentences: readonly string[]): string {
  const isWide = /^(?:zh|ja)/.test(i18n.locale);
  const stop = isWide ? "。" : ".";
  const said = sentences.filter((sentence) => sentence !== "");
  return said
    .map((sentence, place) => (place === said.length - 1 || ENDS.test(sentence) ? sentence : sentence + stop))
    .join(isWide ? "" : " ");
}

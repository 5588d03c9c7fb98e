import { formatCount } from "./format.ts";
import type { Text } from "./i18n.ts";

/** From this share of the greatest length on, a field counts. */
const COUNTS_FROM = 0.8;

/** "30 of 32 characters" once a text comes near its greatest length; undefined before. Counted as the server does. */
export function counterWords(t: Text, text: string, max: number): string | undefined {
  if (text.length < max * COUNTS_FROM) return undefined;
  return t("fields.counter", { used: formatCount(text.length), max: formatCount(max) });
}

/** By how much a text is too long, in words; undefined where it fits. Nothing is cut: its writer knows what may go. */
export function tooLongWords(t: Text, text: string, max: number): string | undefined {
  if (text.length <= max) return undefined;
  return t("fields.tooLong", { max: formatCount(max), over: formatCount(text.length - max) });
}

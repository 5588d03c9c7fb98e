import { formatCount } from "./format.ts";
import type { Text } from "./i18n.ts";

/** Share of the maximum length from which a field shows its counter. */
const COUNTS_FROM = 0.8;

/** Returns "30 of 32 characters" once a text nears its maximum length; undefined before. Counts as the server does. */
export function counterWords(t: Text, text: string, max: number): string | undefined {
  if (text.length < max * COUNTS_FROM) return undefined;
  return t("fields.counter", { used: formatCount(text.length), max: formatCount(max) });
}

/**
 * Returns by how much a text is too long; undefined if it fits. It isn't cut, because its writer knows what to
 * shorten.
 */
export function tooLongWords(t: Text, text: string, max: number): string | undefined {
  if (text.length <= max) return undefined;
  return t("fields.tooLong", { max: formatCount(max), over: formatCount(text.length - max) });
}

/**
 * Parses a size or an index in C2SP's form: ASCII decimals without leading zeros. Null for anything else, and for
 * numbers above `Number.MAX_SAFE_INTEGER`.
 */
export function parseDecimalText(text: string): number | null {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/**
 * Reads a size or an index as C2SP writes it: ASCII decimals without leading zeros. Null for everything else, and for what
 * a JavaScript number cannot hold exactly.
 */
export function parseDecimalText(text: string): number | null {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/** The fake's contracts, as `0x` and 40 digits: the token, and another one with 18 decimals. */
export const TRON_TOKEN = `0x${"c1".repeat(20)}`;
export const TRON_OTHER_TOKEN = `0x${"c2".repeat(20)}`;

/**
 * Returns the answer of a contract's `decimals()`, a word of 32 bytes without `0x`; null for an address without a
 * contract.
 */
export function decimalsWord(contract: string): string | null {
  const decimals = new Map([
    [TRON_TOKEN, 6n],
    [TRON_OTHER_TOKEN, 18n],
  ]).get(contract);
  return decimals === undefined ? null : decimals.toString(16).padStart(64, "0");
}

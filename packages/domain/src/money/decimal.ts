/**
 * Reads a non-negative decimal text exactly, as an integer of 10^-places. It may have digits and at most one point with
 * digits on both sides, but no sign, exponent, space, leading zero or non-ASCII digit. Null for anything else, for more
 * than `wholeDigitsMax` digits before the point, and for more than `places` after it (with `allowZeros`, unless the
 * extra ones are zeros).
 */
export function parseDecimal(text: string, places: number, wholeDigitsMax: number, allowZeros = false): bigint | null {
  const parts = /^(0|[1-9][0-9]{0,17})(?:\.([0-9]{1,18}))?$/.exec(text);
  const whole = parts?.[1];
  if (whole === undefined || whole.length > wholeDigitsMax) return null;
  let fraction = parts?.[2] ?? "";
  if (fraction.length > places) {
    if (!allowZeros || /[1-9]/.test(fraction.slice(places))) return null;
    fraction = fraction.slice(0, places);
  }
  return BigInt(whole + fraction.padEnd(places, "0"));
}

/** Writes an integer of 10^-places exactly, with all its decimal places: (12_500n, 3) is "12.500". */
export function formatDecimal(value: bigint, places: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  if (places === 0) return sign + digits;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** How a language formats decimals. */
interface Writing {
  readonly point: "." | ",";
  /** Separator between thousands. */
  readonly group: string;
  /** The smallest number of whole digits that are grouped: Spanish and Italian write `1234`. */
  readonly groupsFrom: 4 | 5;
  /** Text after a percentage, including the space that some languages put before the sign. */
  readonly percent: string;
}

const POINT: Writing = { point: ".", group: ",", groupsFrom: 4, percent: "%" };
const COMMA: Writing = { point: ",", group: ".", groupsFrom: 4, percent: "%" };
/** Formats of the app's languages by locale, from CLDR. All others format as English does. */
const WRITINGS: Readonly<Record<string, Writing>> = {
  "de-DE": { ...COMMA, percent: "\u00a0%" },
  "es-ES": { ...COMMA, groupsFrom: 5, percent: "\u00a0%" },
  "it-IT": { ...COMMA, groupsFrom: 5 },
  "vi-VN": COMMA,
  "fr-FR": { ...COMMA, group: "\u202f", percent: "\u00a0%" },
};

export interface DecimalOptions {
  /** Minimum number of decimals; default 0. */
  readonly atLeast?: number;
  /** Number of decimals to round to, half away from zero; default `atLeast`. */
  readonly atMost?: number;
  /** Adds a plus to values above zero, and omits the minus if the value rounds to zero. */
  readonly signed?: boolean;
  /** Formats a rate: `0.0204` is `2.04%`. */
  readonly percent?: boolean;
}

/** Returns how the language of a locale formats decimals. */
export function writingOf(locale: string): Writing {
  return WRITINGS[locale] ?? POINT;
}

/**
 * Formats decimal text (`-1234.5`) in the language of a locale, exactly, with a hyphen as the minus. The result equals
 * that of `Intl.NumberFormat`, whose first use would delay the first prices on a slow phone by a tenth of a second.
 */
export function writeDecimal(locale: string, decimal: string, options: DecimalOptions = {}): string {
  const { point, group, groupsFrom, percent } = writingOf(locale);
  const { atLeast = 0, atMost = atLeast, signed = false } = options;
  const { negative, digits, places } = rounded(decimal, options.percent === true ? 2 : 0, Math.max(atLeast, atMost));
  const whole = digits.slice(0, digits.length - places);
  const parted = whole.length < groupsFrom ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  const part = withoutEnd(digits.slice(digits.length - places), atLeast);
  const isZero = !/[1-9]/.test(digits);
  return [
    negative && !(signed && isZero) ? "-" : "",
    signed && !negative && !isZero ? "+" : "",
    parted,
    part === "" ? "" : point + part,
    options.percent === true ? percent : "",
  ].join("");
}

/** Returns the digits of `decimal` × 10^`shift`, the last `places` of which are decimals. */
function rounded(decimal: string, shift: number, places: number) {
  // JavaScript writes a float near zero with an exponent.
  const plain = decimal.includes("e") ? Number(decimal).toFixed(20) : decimal;
  const [, minus, whole = "", part = ""] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain) ?? [];
  if (minus === undefined || whole + part === "") throw new TypeError(`${decimal} is no decimal`);
  const kept = part.slice(0, shift + places).padEnd(shift + places, "0");
  const next = part.charAt(shift + places);
  const amount = BigInt(whole + kept) + (next >= "5" ? 1n : 0n);
  return { negative: minus === "-", digits: String(amount).padStart(places + 1, "0"), places };
}

/** Removes trailing zeros, down to `atLeast` decimals. */
function withoutEnd(part: string, atLeast: number): string {
  let length = part.length;
  while (length > atLeast && part[length - 1] === "0") length -= 1;
  return part.slice(0, length);
}

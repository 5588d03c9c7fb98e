/** How a language writes decimals. */
interface Writing {
  readonly point: "." | ",";
  /** Between thousands. */
  readonly group: string;
  /** Digits of a whole part from which on thousands are parted: Spanish and Italian write `1234`. */
  readonly groupsFrom: 4 | 5;
  /** Behind a percentage, with the space that some languages put before it. */
  readonly percent: string;
}

const POINT: Writing = { point: ".", group: ",", groupsFrom: 4, percent: "%" };
const COMMA: Writing = { point: ",", group: ".", groupsFrom: 4, percent: "%" };
/** Of the app's languages by their locales, as CLDR has them. The others write as English does. */
const WRITINGS: Readonly<Record<string, Writing>> = {
  "de-DE": { ...COMMA, percent: "\u00a0%" },
  "es-ES": { ...COMMA, groupsFrom: 5, percent: "\u00a0%" },
  "it-IT": { ...COMMA, groupsFrom: 5 },
  "vi-VN": COMMA,
  "fr-FR": { ...COMMA, group: "\u202f", percent: "\u00a0%" },
};

export interface DecimalOptions {
  /** Places behind the point that are always written; 0 unless told. */
  readonly atLeast?: number;
  /** Places that it is rounded to, half away from zero; `atLeast` unless told. */
  readonly atMost?: number;
  /** A plus before what is above zero, and no minus before what rounds to zero. */
  readonly signed?: boolean;
  /** Of a rate: `0.0204` is `2.04%`. */
  readonly percent?: boolean;
}

/** How the language of that locale writes decimals. */
export function writingOf(locale: string): Writing {
  return WRITINGS[locale] ?? POINT;
}

/**
 * Writes decimal text (`-1234.5`) in the language of that locale, exactly, with a hyphen for a minus. It writes as
 * `Intl.NumberFormat` does, whose first use costs a slow phone a tenth of a second before the first prices stand.
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

/** The digits of `decimal` × 10^`shift`, of which the last `places` stand behind the point. */
function rounded(decimal: string, shift: number, places: number) {
  // A float near zero writes itself with an exponent.
  const plain = decimal.includes("e") ? Number(decimal).toFixed(20) : decimal;
  const [, minus, whole = "", part = ""] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain) ?? [];
  if (minus === undefined || whole + part === "") throw new TypeError(`${decimal} is no decimal`);
  const kept = part.slice(0, shift + places).padEnd(shift + places, "0");
  const next = part.charAt(shift + places);
  const amount = BigInt(whole + kept) + (next >= "5" ? 1n : 0n);
  return { negative: minus === "-", digits: String(amount).padStart(places + 1, "0"), places };
}

/** Leaves zeros at the end out, down to `atLeast` places. */
function withoutEnd(part: string, atLeast: number): string {
  let length = part.length;
  while (length > atLeast && part[length - 1] === "0") length -= 1;
  return part.slice(0, length);
}

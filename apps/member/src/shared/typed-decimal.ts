import type { MessageId } from "@fairtick/i18n";
import { plainDigits } from "./digits.ts";
import { formatMoney } from "./format.ts";
import type { Values } from "./i18n.ts";

/**
 * Parses a decimal as people type or paste it. Spaces, a currency sign and another script's digits are accepted. Of
 * two kinds of separator the last is the decimal point; a repeated one separates thousands; a single comma is a
 * decimal point.
 */
export function plainDecimal(typed: string): string {
  const text = plainFigure(typed)
    .replace(/^\s*\$|USD\s*$/gi, "")
    .replace(/[\s']/g, "");
  const point = pointOf(text);
  const pointed = text.replace(/[.,]/g, (sign) => (sign === point ? "." : "")).replace(/^0+(?=[0-9])/, "");
  const whole = pointed.startsWith(".") ? `0${pointed}` : pointed;
  return whole.endsWith(".") ? whole.slice(0, -1) : whole;
}

/** Converts digits to plain ones. The Arabic decimal and thousands separators are unambiguous. */
function plainFigure(typed: string): string {
  return plainDigits(typed).replaceAll("\u066b", ".").replaceAll("\u066c", "");
}

function pointOf(text: string): "," | "." | null {
  const commas = text.split(",").length - 1;
  const points = text.split(".").length - 1;
  if (commas > 0 && points > 0) return text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
  if (commas + points !== 1) return null;
  return commas === 1 ? "," : ".";
}

/**
 * Parses an amount, which has at most two decimals. The language's other separator before three digits can therefore
 * only separate thousands: 1,000 in English, 1.000 in German.
 */
export function plainAmount(typed: string, decimalSign: "." | "," = "."): string {
  const thousands = /^(\D*[0-9]{1,3})([.,])([0-9]{3}\D*)$/.exec(plainFigure(typed));
  const [, before = "", sign, after = ""] = thousands ?? [];
  return plainDecimal(thousands !== null && sign !== decimalSign ? before + after : typed);
}

/**
 * Parses a decimal with many places: a price or a quantity of coins. The language's other separator before three
 * digits may be a thousands separator or a decimal point (`2,650` in English). Returns null then: the member is asked,
 * never guessed at.
 */
export function unmistakableDecimal(typed: string, decimalSign: "." | ","): string | null {
  const [, sign] = /^[^0-9.,]*[1-9][0-9]{0,2}([.,])[0-9]{3}[^0-9.,]*$/.exec(plainFigure(typed)) ?? [];
  return sign !== undefined && sign !== decimalSign ? null : plainDecimal(typed);
}

/**
 * Parses a price close to a known one. If the language's other separator stands before three digits, chooses the
 * reading closer to `near`, because one reading is a thousand times the other; null if no price is known and both are
 * possible.
 */
export function priceNear(typed: string, sign: "." | ",", decimals: number, near: string | null): string | null {
  const clear = unmistakableDecimal(typed, sign);
  if (clear !== null) return clear;
  const asPlaces = plainDecimal(typed);
  const asThousands = asPlaces.replace(".", "");
  // The product has fewer than three decimals.
  if (decimals < 3) return asThousands;
  if (near === null) return null;
  const distance = (reading: string) => Math.abs(Math.log(Number(reading) / Number(near)));
  return distance(asThousands) < distance(asPlaces) ? asThousands : asPlaces;
}

/** A fault of a decimal: a message and its values. */
export interface DecimalProblem {
  readonly message: MessageId;
  readonly values?: Values;
}

const WHOLE_DIGITS_MAX = 12;

/**
 * Returns what is wrong with a plain decimal (see `plainDecimal`) for this many decimals and whole digits, or null. A
 * null decimal is one that could be read in two ways.
 */
export function decimalProblem(
  plain: string | null,
  places: number,
  wholeDigitsMax = WHOLE_DIGITS_MAX,
): DecimalProblem | null {
  if (plain === null) return { message: "fields.decimal.unclear" };
  if (/^[-+\u2212\u2013]/.test(plain)) return { message: "fields.decimal.sign" };
  const [, whole = "", part = ""] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(plain) ?? [];
  if (whole === "") return { message: "fields.decimal.digits", values: { example: formatMoney("1250.50") } };
  if (whole.length > wholeDigitsMax) return { message: "fields.decimal.tooLarge" };
  return part.length > places ? { message: "fields.decimal.places", values: { places } } : null;
}

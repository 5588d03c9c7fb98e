import { plainDigits } from "./digits.ts";

/**
 * A decimal as people type or paste it: spaces, a currency sign and another script's digits are no matter. Of two kinds
 * of separator the last is the point; one that stands several times parts thousands; a single comma is a point.
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

/** The Arabic signs of places and of thousands are their own, unmistakably. */
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
 * An amount has two places at most, so that the language's other sign before three digits can only part thousands:
 * 1,000 in English, 1.000 in German.
 */
export function plainAmount(typed: string, decimalSign: "." | "," = "."): string {
  const thousands = /^(\D*[0-9]{1,3})([.,])([0-9]{3}\D*)$/.exec(plainFigure(typed));
  const [, before = "", sign, after = ""] = thousands ?? [];
  return plainDecimal(thousands !== null && sign !== decimalSign ? before + after : typed);
}

/**
 * A decimal of many places: a price, or a quantity of coins. There the language's other sign before three digits may
 * part thousands as well as places (`2,650` in English): null, for it is asked again and never guessed.
 */
export function unmistakableDecimal(typed: string, decimalSign: "." | ","): string | null {
  const [, sign] = /^[^0-9.,]*[1-9][0-9]{0,2}([.,])[0-9]{3}[^0-9.,]*$/.exec(plainFigure(typed)) ?? [];
  return sign !== undefined && sign !== decimalSign ? null : plainDecimal(typed);
}

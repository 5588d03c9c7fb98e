import { formatPrice } from "../../shared/format.ts";

/** Formats a figure with this many decimals in the member's language. */
export function formatFigure(figure: number, places: number): string {
  return signed(formatPrice(figure.toFixed(places), places));
}

/** Reformats a figure that the library wrote for the member's language; other text stays as it is. */
export function formatWritten(written: string | number): string {
  const text = String(written);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return signed(formatPrice(text, text.split(".")[1]?.length ?? 0));
}

/** Writes the minus as a sign, and none before a figure that is rounded to zero. */
function signed(figure: string): string {
  return figure.replace("-", /[1-9]/.test(figure) ? "−" : "");
}

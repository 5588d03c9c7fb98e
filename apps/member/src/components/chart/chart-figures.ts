import { formatPrice } from "../../shared/format.ts";

/** Formats a figure with this many decimals in the member's language. */
export function formatFigure(figure: number, places: number): string {
  return formatPrice(figure.toFixed(places), places).replace("-", "−");
}

/** Reformats a figure that the library wrote for the member's language; other text stays as it is. */
export function formatWritten(written: string | number): string {
  const text = String(written);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return formatPrice(text, text.split(".")[1]?.length ?? 0).replace("-", "−");
}

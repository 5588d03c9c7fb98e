import { formatPrice } from "../../shared/format.ts";

/** A figure of the chart with so many places, written as the member's language writes it. */
export function formatFigure(figure: number, places: number): string {
  return formatPrice(figure.toFixed(places), places).replace("-", "−");
}

/** A figure as the library wrote it, in the member's own signs; what is no figure stays as it is. */
export function formatWritten(written: string | number): string {
  const text = String(written);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return formatPrice(text, text.split(".")[1]?.length ?? 0).replace("-", "−");
}

import { formatPrice } from "../../shared/format.ts";

/** A figure of the chart with so many places, written as the member's language writes it. */
export function formatFigure(figure: number, places: number): string {
  return formatPrice(figure.toFixed(places), places).replace("-", "−");
}

/** How a series writes its axis and labels: the library's own format knows the English point alone. */
export function priceFormat(places: number) {
  return {
    type: "custom" as const,
    minMove: 10 ** -places,
    formatter: (figure: number) => formatFigure(figure, places),
  };
}

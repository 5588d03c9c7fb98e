/** A piece of time that a chart shows at any width: around an order, or around now. */
export type ChartSpan =
  | { readonly kind: "fixed"; readonly from: number; readonly to: number }
  /** Moves along with the newest bar: so much before it and so much ahead. */
  | { readonly kind: "moving"; readonly pastMs: number; readonly aheadMs: number };

/** Bars are drawn from this width on. */
const BAR_PX_LEAST = 1;

/**
 * The width of a bar and the room right of the newest that show the span in a plot of `widthPx`. Bars are never narrower
 * than a pixel: then the end stays in sight and the beginning does not.
 */
export function fitSpan(
  span: ChartSpan,
  { widthPx, lengthMs, lastAt }: { readonly widthPx: number; readonly lengthMs: number; readonly lastAt: number },
): { readonly barPx: number; readonly roomPx: number } {
  const spanMs = span.kind === "fixed" ? span.to - span.from : span.pastMs + span.aheadMs;
  const aheadMs = span.kind === "fixed" ? span.to - lastAt : span.aheadMs;
  const barPx = Math.max((widthPx / spanMs) * lengthMs, BAR_PX_LEAST);
  return { barPx, roomPx: (aheadMs / lengthMs) * barPx };
}

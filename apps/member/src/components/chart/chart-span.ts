import type { Chart } from "klinecharts";
import type { SeenRange } from "./ChartWords.tsx";

/** A time span that a chart shows at any width: around an order, or around now. */
export type ChartSpan =
  | { readonly kind: "fixed"; readonly from: number; readonly to: number }
  /** Moves with the newest bar, showing this much before it and ahead of it. */
  | { readonly kind: "moving"; readonly pastMs: number; readonly aheadMs: number };

/** Minimum width of a bar. */
const BAR_PX_LEAST = 1;

/**
 * Returns the bar width and the room to the right of the newest bar that fit the span into a plot of `widthPx`. Bars
 * are never narrower than a pixel; if they would be, the end of the span stays in view and the beginning doesn't.
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

/** Returns the visible range; null while nothing is visible. */
export function seenRange(chart: Chart): SeenRange | null {
  const { from, to } = chart.getVisibleRange();
  const bars = chart.getDataList().slice(from, to);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  return {
    count: bars.length,
    from: first.timestamp,
    to: last.timestamp,
    open: first.open,
    close: last.close,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
  };
}

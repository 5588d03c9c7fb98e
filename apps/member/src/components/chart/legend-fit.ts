/** How the line with open, high, low and close is rendered so that it stays one line. */
export interface LegendFit {
  /** False on a chart too low for text; its price is shown above it. */
  readonly isShown: boolean;
  readonly sizePx: number;
  /** The line's extent from the plot's left. */
  readonly widthPx: number;
  /** False if even the smallest size is too wide for four figures. */
  readonly hasOpen: boolean;
  /** Whether an indicator's name is shown before its figures, which have their own names. */
  readonly hasTitles: boolean;
}

const SIZES_PX = [12, 11, 10] as const;
const SMALLEST_PX = 10;
/** Space to the left of the first figure, and between two. */
const EDGE_PX = 12;
const GAP_PX = 8;
/** Allowance for the library's rounding of each text's width. */
const ROUNDING_PX = 4;
const LOW_PX = 190;
/** From this width on, an indicator has its name and all of its figures in the legend. */
export const TITLES_FROM_PX = 480;

/**
 * Fits the line into a plot of `width` × `height` px.
 *
 * @param parts open, high, low and close as shown, including their labels
 * @param widthOf returns the px of a text at a font size, because a font's letters don't always scale evenly
 */
export function fitLegend(
  parts: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
  widthOf: (text: string, sizePx: number) => number,
): LegendFit {
  const needs = (shown: readonly string[], sizePx: number) =>
    EDGE_PX + shown.reduce((sum, part) => sum + widthOf(part, sizePx) + GAP_PX, 0);
  const sizePx = SIZES_PX.find((size) => needs(parts, size) + ROUNDING_PX <= width);
  return {
    isShown: height >= LOW_PX,
    sizePx: sizePx ?? SMALLEST_PX,
    widthPx: sizePx === undefined ? needs(parts.slice(1), SMALLEST_PX) : needs(parts, sizePx),
    hasOpen: sizePx !== undefined,
    hasTitles: width >= TITLES_FROM_PX,
  };
}

/** The space that the legend takes in the plot's upper left corner. */
export interface LegendArea {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Space above and below each line, and above the first. */
const LINE_MARGIN_PX = 4;
/** By how much an indicator's name for a figure is wider than the letter of an open or close, and its own title's width. */
const NAME_PX = 24;
const TITLE_PX = 84;

/**
 * Returns the space of the line and of the indicators' lines below it. Those are estimated by the first, because
 * measuring them with each move would be slow.
 *
 * @param figures number of figures of each indicator on the prices
 */
export function legendArea(
  { isShown, sizePx, widthPx, hasOpen, hasTitles }: LegendFit,
  { figures, plotPx }: { readonly figures: readonly number[]; readonly plotPx: number },
): LegendArea {
  if (!isShown || widthPx === 0) return { widthPx: 0, heightPx: 0 };
  const figurePx = (widthPx - EDGE_PX) / (hasOpen ? 4 : 3) + NAME_PX;
  const wanted = figures.map((count) => EDGE_PX + (hasTitles ? TITLE_PX : 0) + count * figurePx);
  // The library breaks a line that is wider than the plot.
  const lines = wanted.reduce((sum, px) => sum + Math.ceil(px / plotPx), 1);
  return {
    widthPx: Math.min(Math.max(widthPx, ...wanted), plotPx),
    heightPx: LINE_MARGIN_PX + lines * (sizePx + LINE_MARGIN_PX),
  };
}

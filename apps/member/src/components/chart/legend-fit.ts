/** How the line of open, high, low and close is written so that it stays one line. */
export interface LegendFit {
  /** False on a chart too low for words: its price stands above it. */
  readonly isShown: boolean;
  readonly sizePx: number;
  /** What the line takes of the plot's width, from its left. */
  readonly widthPx: number;
  /** Left out where even the smallest size is too wide for four figures. */
  readonly hasOpen: boolean;
  /** An indicator's name before its figures, which bear names of their own. */
  readonly hasTitles: boolean;
}

const SIZES_PX = [12, 11, 10] as const;
const SMALLEST_PX = 10;
/** Left of the first figure, and between two. */
const EDGE_PX = 12;
const GAP_PX = 8;
/** The library rounds the width of each word and each figure. */
const ROUNDING_PX = 4;
const LOW_PX = 190;
const TITLES_FROM_PX = 480;

/**
 * Fits the line into a plot of `width` × `height` px.
 *
 * @param parts open, high, low and close as they are written, the word included
 * @param widthOf px of a text in a size: letters of a font do not always grow evenly
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

/** Decides which tags of running orders are drawn over the candles when several would overlap. */

/** A tag's height, and the distance between the centres of two stacked tags, in px. */
export const TAG_PX = 22;
export const STACK_PX = 26;
/** More countdowns would hide the candles, however high the chart is. */
const ROWS_MOST = 4;

/** A rectangle of the plot, in px. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the box of a tag of this width whose centre is at height `y`. */
export function tagBox(left: number, y: number, width: number): Box {
  return { left, right: left + width, top: y - TAG_PX / 2, bottom: y + TAG_PX / 2 };
}

/** Returns whether a box overlaps one of those taken. */
export function isTaken(box: Box, taken: readonly Box[]): boolean {
  return taken.some(
    ({ left, right, top, bottom }) => box.left < right && box.right > left && box.top < bottom && box.bottom > top,
  );
}

/**
 * Returns how many countdowns get a row of their own, and how many are only counted in the row below them. Orders that
 * end sooner come first.
 *
 * @param count number of orders whose end is in view
 * @param topPx height of the first row's centre
 */
export function countdownRows(
  count: number,
  { topPx, heightPx }: { readonly topPx: number; readonly heightPx: number },
): { readonly written: number; readonly counted: number } {
  const room = Math.floor((heightPx - topPx - TAG_PX / 2) / STACK_PX) + 1;
  const rows = Math.min(Math.max(room, 1), ROWS_MOST);
  if (count <= rows) return { written: count, counted: 0 };
  return rows === 1 ? { written: 1, counted: 0 } : { written: rows - 1, counted: count - rows + 1 };
}

/** Which tags of running orders are written over the candles, where several would lie on each other. */

/** A tag's height, and how far the middles of two lie apart in a stack, in px. */
export const TAG_PX = 22;
export const STACK_PX = 26;
/** More countdowns than that would hide the candles, however high the chart is. */
const ROWS_MOST = 4;

/** A piece of the plot, in px. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The box of a tag of this width around its middle's height. */
export function tagBox(left: number, y: number, width: number): Box {
  return { left, right: left + width, top: y - TAG_PX / 2, bottom: y + TAG_PX / 2 };
}

/** Whether a box lies over one of these. */
export function isTaken(box: Box, taken: readonly Box[]): boolean {
  return taken.some(
    ({ left, right, top, bottom }) => box.left < right && box.right > left && box.top < bottom && box.bottom > top,
  );
}

/**
 * How many countdowns are written under each other, and how many are only counted in the row below them. They come in the order of
 * their ends.
 *
 * @param count orders whose end is in sight
 * @param topPx the middle of the first row
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

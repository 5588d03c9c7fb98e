/** The tags that lie on the price axis: how much of it they take, and which labels give way to them. */
import type { AxisTick } from "klinecharts";

/** A tag's 12 px of text and 4 px above and below it. */
const TAG_PX = 20;
const LABEL_PX = 12;
/** In a lower pane the countdown under the price would be cut where the price is low. */
const COUNTDOWN_FROM_PX = 180;
/** The library keeps the newest price's tag within this part of the pane, however far the price is out of sight. */
const [HIGHEST, LOWEST] = [0.05, 0.98] as const;

/** A piece of the axis, in px from its top. */
export interface TagSpan {
  readonly top: number;
  readonly bottom: number;
}

/** Whether the newest candle's countdown is written under its price, in a pane of this height. */
export function hasCountdown(isWanted: boolean, paneHeightPx: number): boolean {
  return isWanted && paneHeightPx >= COUNTDOWN_FROM_PX;
}

/** What the tag of a price at `y` takes. */
export function tagSpan(y: number): TagSpan {
  return { top: y - TAG_PX / 2, bottom: y + TAG_PX / 2 };
}

/** What the newest price's tag takes, with its countdown where there is one. */
export function newestTagSpan(
  y: number,
  { paneHeightPx, countdown }: { readonly paneHeightPx: number; readonly countdown: boolean },
): TagSpan {
  const { top, bottom } = tagSpan(Math.min(Math.max(y, paneHeightPx * HIGHEST), paneHeightPx * LOWEST));
  return { top, bottom: countdown ? bottom + TAG_PX : bottom };
}

/**
 * The same labels, each without its words while a tag is over it. That is asked whenever the axis is drawn: the price
 * moves between two layouts of the labels. The grid keeps its lines.
 */
export function yieldingTicks(ticks: readonly AxisTick[], tags: () => readonly TagSpan[]): AxisTick[] {
  return ticks.map(({ coord, value, text }) => ({
    coord,
    value,
    get text() {
      const isCovered = tags().some(({ top, bottom }) => coord + LABEL_PX / 2 > top && coord - LABEL_PX / 2 < bottom);
      return isCovered ? "" : text;
    },
  }));
}

/** The tags of expiry times below the chart. */
import type { TagSpan } from "./price-tags.ts";

/** Width of a tag: hours, minutes and seconds, 6 px of padding on both sides, and some px between two tags. */
const TAG_PX = 70;

/**
 * Returns the middles of the tags of times at `wanted`, in px, in a plot of this width; null for one that is out of
 * view or would cover an earlier one. Tags at the edges move inwards so that they aren't clipped.
 */
export function placeTimeTags(wanted: readonly number[], width: number): (number | null)[] {
  const taken: number[] = [];
  return wanted.map((x) => {
    if (x < 0 || x > width) return null;
    const place = Math.max(Math.min(x, width - TAG_PX / 2), TAG_PX / 2);
    if (taken.some((other) => Math.abs(other - place) < TAG_PX)) return null;
    taken.push(place);
    return place;
  });
}

/** Returns the space taken by the tag of a time at `x`. */
export function timeTagSpan(x: number): TagSpan {
  return { from: x - TAG_PX / 2, to: x + TAG_PX / 2 };
}

/** The tags of expiry times under the chart. */
import type { TagSpan } from "./price-tags.ts";

/** A time in hours, minutes and seconds, 6 px of ground on both sides, and some px between two tags. */
const TAG_PX = 70;

/**
 * The middles of the tags of times at `wanted`, in px, in a plot of this width; null for one that is out of sight or would
 * lie over another before it. At the edges a tag moves in, so that it isn't cut.
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

/** What the tag of a time at `x` takes. */
export function timeTagSpan(x: number): TagSpan {
  return { from: x - TAG_PX / 2, to: x + TAG_PX / 2 };
}

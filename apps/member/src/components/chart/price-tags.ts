/** The tags on the price axis: their positions, the space they take, and the labels that give way to them. */
import type { AxisTick, Chart } from "klinecharts";

const PRICE_PANE = "candle_pane";
/** Height of a tag: 12 px of text with 4 px above and below. */
const TAG_PX = 20;
const LABEL_PX = 12;
/** Minimum height of a pane with a countdown; in a lower one the two tags would hide most of the labels. */
const COUNTDOWN_FROM_PX = 100;
/** A countdown above its price moves back below only once there is this much more room, so that it doesn't flicker. */
const STEADY_PX = 8;

/** A section of an axis, in px from its top or left. */
export interface TagSpan {
  readonly from: number;
  readonly to: number;
}

/** On which side of the newest price's tag its candle's countdown is; null if there is none. */
export type CountdownSide = "below" | "above" | null;

/** The newest price's tag with its countdown. */
interface NewestSpan extends TagSpan {
  /** The middle of the price's own tag. */
  readonly middle: number;
}

/** Returns the middle of the tag of the newest price at `y`, which stays whole at the edge if the price is out of view. */
function newestMiddle(y: number, paneHeightPx: number): number {
  return Math.round(Math.max(TAG_PX / 2, Math.min(y, paneHeightPx - TAG_PX / 2)));
}

/**
 * Returns where the countdown of the newest price at `y` has room: below it, or above if the pane ends there.
 *
 * @param before where it was when last drawn
 */
export function countdownSide(
  y: number,
  { paneHeightPx, before }: { readonly paneHeightPx: number; readonly before: CountdownSide },
): CountdownSide {
  if (paneHeightPx < COUNTDOWN_FROM_PX) return null;
  const needed = TAG_PX * 1.5 + (before === "above" ? STEADY_PX : 0);
  return newestMiddle(y, paneHeightPx) + needed <= paneHeightPx ? "below" : "above";
}

/** Returns the space taken by the tag of a price at `y`. */
export function tagSpan(y: number): TagSpan {
  return { from: y - TAG_PX / 2, to: y + TAG_PX / 2 };
}

/** Returns the space taken by the newest price's tag, including its countdown if there is one. */
export function newestTagSpan(
  y: number,
  { paneHeightPx, countdown }: { readonly paneHeightPx: number; readonly countdown: CountdownSide },
): NewestSpan {
  const middle = newestMiddle(y, paneHeightPx);
  const { from, to } = tagSpan(middle);
  return {
    middle,
    from: countdown === "above" ? from - TAG_PX : from,
    to: countdown === "below" ? to + TAG_PX : to,
  };
}

/**
 * Returns the middles of the tags of prices at `wanted`, in px, moved away from the newest price's tag and from each
 * other so that all are readable. The tag of a price above the newest stays above it. Null for one that finds no room in the pane: the first of
 * them have theirs.
 */
export function placeTags(
  wanted: readonly number[],
  { newest, paneHeightPx }: { readonly newest: NewestSpan | null; readonly paneHeightPx: number },
): (number | null)[] {
  const half = TAG_PX / 2;
  const middle = newest?.middle ?? -Infinity;
  const placed = new Map<number, number>();
  let ceiling = newest?.from ?? Infinity;
  for (const y of wanted.filter((other) => other <= middle).toSorted((one, other) => other - one)) {
    const place = Math.min(y, ceiling - half);
    ceiling = place - half;
    placed.set(y, place);
  }
  let floor = newest?.to ?? -Infinity;
  for (const y of wanted.filter((other) => other > middle).toSorted((one, other) => one - other)) {
    const place = Math.max(y, floor + half);
    floor = place + half;
    placed.set(y, place);
  }
  const kept: TagSpan[] = newest === null ? [] : [newest];
  return wanted.map((y) => {
    const place = placed.get(y) ?? y;
    // The tag of a price out of view stays out of view, and that of a visible price stays visible.
    if (y < 0 || y > paneHeightPx) return place;
    const inPane = Math.min(Math.max(place, half), paneHeightPx - half);
    const span = tagSpan(inPane);
    if (kept.some(({ from, to }) => span.from < to && span.to > from)) return null;
    kept.push(span);
    return inPane;
  });
}

export interface EntryTag {
  readonly price: number;
  /** The tag's middle, in px. */
  readonly y: number;
}

interface PriceTagTerms {
  readonly entryPrices: () => readonly number[];
  readonly isCountdownWanted: () => boolean;
  /** Px of the chart's upper edge that the page covers. */
  readonly covered: () => number;
}

/** Decides where a chart's price axis has tags instead of labels: at the newest price and at running entries. */
export class PriceTags {
  readonly #chart: Chart;
  readonly #entryPrices: () => readonly number[];
  readonly #isCountdownWanted: () => boolean;
  readonly #covered: () => number;
  #side: CountdownSide = "below";

  constructor(chart: Chart, { entryPrices, isCountdownWanted, covered }: PriceTagTerms) {
    this.#chart = chart;
    this.#entryPrices = entryPrices;
    this.#isCountdownWanted = isCountdownWanted;
    this.#covered = covered;
  }

  #paneHeight(): number {
    return this.#chart.getSize(PRICE_PANE, "main")?.height ?? 0;
  }

  /** Returns where the newest price's tag has its countdown. */
  countdown(): CountdownSide {
    const last = this.#chart.getDataList().at(-1);
    if (last === undefined || !this.#isCountdownWanted()) return null;
    const terms = { paneHeightPx: this.#paneHeight(), before: this.#side };
    this.#side = countdownSide(this.#placeOf(last.close), terms);
    return this.#side;
  }

  #placeOf(value: number): number {
    const [place] = [this.#chart.convertToPixel({ value }, { paneId: PRICE_PANE })].flat();
    return place?.y ?? 0;
  }

  /**
   * Returns the price axis' method that places the newest price's tag and line. The library's own cuts the tag at the
   * edges; its types leave the method out.
   */
  axis() {
    return { convertToNicePixel: (value: number) => newestMiddle(this.#placeOf(value), this.#paneHeight()) };
  }

  #newest(): NewestSpan | null {
    const last = this.#chart.getDataList().at(-1);
    if (last === undefined) return null;
    const pane = { paneHeightPx: this.#paneHeight(), countdown: this.countdown() };
    return newestTagSpan(this.#placeOf(last.close), pane);
  }

  /** Returns one tag for each price that finds room, however many orders entered at it. */
  entries(): EntryTag[] {
    const prices = [...new Set(this.#entryPrices())];
    const wanted = prices.map((price) => this.#placeOf(price));
    const places = placeTags(wanted, { newest: this.#newest(), paneHeightPx: this.#paneHeight() });
    return prices.flatMap((price, at) => {
      const y = places[at] ?? null;
      return y === null ? [] : [{ price, y }];
    });
  }

  /** Returns what hides labels of the axis: its tags, and what the page covers. */
  spans(): TagSpan[] {
    const newest = this.#newest();
    const covered = { from: 0, to: this.#covered() };
    return [
      ...(covered.to > 0 ? [covered] : []),
      ...(newest === null ? [] : [newest]),
      ...this.entries().map(({ y }) => tagSpan(y)),
    ];
  }
}

/**
 * Returns the same labels, without the text of those that a tag covers. Called whenever the axis is drawn, because the
 * price moves between two layouts of the labels. The grid keeps its lines.
 *
 * @param lengthOf px that a label takes along its axis; default one line's height
 */
export function yieldingTicks(
  ticks: readonly AxisTick[],
  tags: () => readonly TagSpan[],
  lengthOf: (text: string) => number = () => LABEL_PX,
): AxisTick[] {
  return ticks.map(({ coord, value, text }) => ({
    coord,
    value,
    get text() {
      const half = lengthOf(text) / 2;
      const isCovered = tags().some(({ from, to }) => coord + half > from && coord - half < to);
      return isCovered ? "" : text;
    },
  }));
}

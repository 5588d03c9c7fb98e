/** Paints running orders over the candles: winning and losing zones, entries, ends with countdowns, and their tags. */
import { formatCountdown } from "../../shared/format.ts";
import type { ChartColours } from "./chart-colours.ts";
import type { RunningMark } from "./chart-scene.ts";
import { countdownRows, isTaken, STACK_PX, tagBox, type Box } from "./order-tags.ts";
import { dot, line, ring, tag, tagEdges, type Places, type Tag } from "./scene-painter.ts";
import { paintZone, paintZoneWords } from "./zone-painter.ts";

/** Number of entries that show their direction and stake. */
const WORDS_MOST = 3;
/** Distance of a countdown's centre from what is above it. */
const BELOW_PX = 14;

export interface RunningLook {
  readonly places: Places;
  readonly colours: ChartColours;
  readonly now: number;
}

type PlacedTag = Tag & { readonly y: number };

/** The tags to draw, and the parts of the plot that they cover. */
export interface RunningTags {
  readonly countdowns: readonly PlacedTag[];
  readonly words: readonly PlacedTag[];
  readonly taken: readonly Box[];
}

/**
 * Lays out the tags of running orders so that they overlap neither each other nor the figures in the corner. The order
 * that ends next comes first.
 */
export function layOutTags(
  ctx: CanvasRenderingContext2D,
  marks: readonly RunningMark[],
  look: RunningLook,
): RunningTags {
  const { places, colours } = look;
  const terms = { font: colours.font, width: places.width };
  const { widthPx, heightPx } = places.legend;
  const taken: Box[] = widthPx > 0 ? [{ left: 0, right: widthPx, top: 0, bottom: places.covered + heightPx }] : [];
  const take = (place: PlacedTag): PlacedTag[] => {
    const { left, size } = tagEdges(ctx, place, terms);
    const box = tagBox(left, place.y, size);
    if (isTaken(box, taken)) return [];
    taken.push(box);
    return [place];
  };
  const countdowns = countdownsOf(ctx, marks, look).flatMap(take);
  const begun = marks
    .map(({ entryAt, entryPrice, words }) => ({ x: places.x(entryAt), y: places.y(Number(entryPrice)), words }))
    .filter(({ x }) => x >= 0 && x <= places.width);
  const words = begun
    .slice(0, WORDS_MOST)
    .flatMap(({ x, y, words: said }) => take({ x: x - 10, y, words: said, anchor: "right" }));
  return { countdowns, words, taken };
}

/** Stacks the countdowns in order of their ends. A last tag counts those without room. */
function countdownsOf(
  ctx: CanvasRenderingContext2D,
  marks: readonly RunningMark[],
  { places, colours, now }: RunningLook,
): readonly PlacedTag[] {
  const { width, height, legend, covered } = places;
  const shown = marks
    .filter(({ exit, expiresAt }) => !exit && places.x(expiresAt) >= 0)
    .map(({ expiresAt }): Tag => {
      const x = Math.min(places.x(expiresAt), width - 1);
      return { x, words: formatCountdown(Math.max(expiresAt - now, 0)), anchor: "center" };
    });
  // Beside the figures in the corner, or below them if they reach this far.
  const isUnder = shown.some((place) => tagEdges(ctx, place, { font: colours.font, width }).left < legend.widthPx);
  const topPx = covered + (isUnder ? legend.heightPx : 0) + BELOW_PX;
  const { written, counted } = countdownRows(shown.length, { topPx, heightPx: height });
  const last = shown[written];
  const rows = counted === 0 || last === undefined ? [] : [{ ...last, words: `+${counted}` }];
  return [...shown.slice(0, written), ...rows].map(({ x, words, anchor }, nth) => ({
    x,
    words,
    anchor,
    y: topPx + nth * STACK_PX,
  }));
}

/** Paints all running orders. Only the one that ends next has its zones shaded; the others have lines. */
export function paintRunning(
  ctx: CanvasRenderingContext2D,
  marks: readonly RunningMark[],
  { countdowns, words, taken }: RunningTags,
  look: RunningLook,
): void {
  const { places, colours } = look;
  const [first] = marks;
  const zone = first === undefined ? null : firstZone(first, look);
  if (zone !== null) paintZone(ctx, zone, zone.tones, places.height);
  for (const mark of marks) paintLines(ctx, mark, look);
  if (zone !== null) paintZoneWords(ctx, zone, { ...zone, taken }, look);
  const of = { font: colours.font, width: places.width };
  for (const place of words) tag(ctx, place, { ink: colours.accent, ground: colours.accentSoft, ...of });
  for (const place of countdowns) tag(ctx, place, { ink: "#ffffff", ground: colours.accentFill, ...of });
}

/** Returns an order's zone with the words and colours of its halves; null if it is out of view or sealed. */
function firstZone(
  { direction, entryAt, expiresAt, entryPrice, winWords, loseWords }: RunningMark,
  { places, colours: { up, down } }: RunningLook,
) {
  const [left, right] = [Math.max(0, places.x(entryAt)), Math.min(places.width, places.x(expiresAt))];
  if (direction === null || right <= left) return null;
  const zone = { left, right, level: places.y(Number(entryPrice)) };
  return direction === "up"
    ? { ...zone, words: [winWords, loseWords] as const, tones: [up, down] as const }
    : { ...zone, words: [loseWords, winWords] as const, tones: [down, up] as const };
}

/** Paints the entry and end lines of one order, and its exit once there is one. */
function paintLines(ctx: CanvasRenderingContext2D, mark: RunningMark, { places, colours }: RunningLook): void {
  const { width, height } = places;
  const [begin, end, level] = [places.x(mark.entryAt), places.x(mark.expiresAt), places.y(Number(mark.entryPrice))];
  line(
    ctx,
    colours.accent,
    [5, 4],
    [
      [Math.max(0, begin), level],
      [width, level],
    ],
  );
  if (end >= 0) {
    const edge = Math.round(Math.min(end, width - 1)) + 0.5;
    line(ctx, colours.accent, end > width ? [2, 4] : [], [
      [edge, 0],
      [edge, height],
    ]);
  }
  if (mark.exit) dot(ctx, [places.x(mark.exit.at), places.y(Number(mark.exit.price))], mark.exit, colours);
  if (begin >= 0 && begin <= width) ring(ctx, begin, level, colours.accent, colours.ground);
}

/** Paints the parts of orders over the candles: winning and losing zones, tags, paths; also previews and settled orders. */
import type { ChartColours } from "./chart-colours.ts";
import type { Examples, Preview, Replay, SettledMark } from "./chart-scene.ts";
import { isTaken, TAG_PX, tagBox, type Box } from "./order-tags.ts";

/** Positions of instants and prices in the pane, in px. */
export interface Places {
  readonly width: number;
  readonly height: number;
  /** Extent of the figures in the upper corner, in px from the left. */
  readonly legendWidth: number;
  /** Px of the upper edge that the page covers; those figures, and countdowns, stand below them. */
  readonly covered: number;
  readonly x: (at: number) => number;
  readonly y: (price: number) => number;
}

interface Zone {
  readonly left: number;
  readonly right: number;
  readonly level: number;
}

const SHADE = 0.2;

/** Draws half of a zone in one colour, strongest at the entry's level and fading out at the edge. */
function paintHalf(ctx: CanvasRenderingContext2D, { left, right, level }: Zone, edge: number, colour: string): void {
  const shade = ctx.createLinearGradient(0, level, 0, edge);
  shade.addColorStop(0, withAlpha(colour, SHADE));
  shade.addColorStop(1, withAlpha(colour, SHADE / 4));
  ctx.fillStyle = shade;
  ctx.fillRect(left, Math.min(level, edge), right - left, Math.abs(edge - level));
}

function withAlpha(colour: string, alpha: number): string {
  return `color-mix(in srgb, ${colour} ${alpha * 100}%, transparent)`;
}

/**
 * Writes words in the middle of a zone's half. If the half is too narrow, they get a background and extend beyond it. They
 * are left out where they would overlap a tag.
 */
function paintHalfWords(
  ctx: CanvasRenderingContext2D,
  { left, right, level }: Zone,
  edge: number,
  {
    words,
    colour,
    font,
    ground,
    width,
    taken,
  }: { words: string; colour: string; font: string; ground: string; width: number; taken: readonly Box[] },
): void {
  if (Math.abs(edge - level) < 28) return;
  const room = right - left;
  const y = edge < level ? Math.max(edge + 14, level - 60) : Math.min(edge - 14, level + 60);
  const place = { x: left + room / 2, words, anchor: "center" } as const;
  const edges = tagEdges(ctx, place, { font, width });
  if (isTaken(tagBox(edges.left, y, edges.size), taken)) return;
  if (room < edges.size - 8) {
    tag(ctx, { ...place, y }, { ink: colour, ground: withAlpha(ground, 0.8), font, width });
    return;
  }
  ctx.fillStyle = colour;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(words, left + room / 2, y);
}

/** Paints both halves of a zone with the direction that wins in each, where no tag is in the way. */
export function paintZone(
  ctx: CanvasRenderingContext2D,
  zone: Zone,
  [above, below]: readonly [string, string],
  [aboveTone, belowTone]: readonly [string, string],
  {
    places: { width, height },
    colours: { font, ground },
    taken,
  }: { places: Places; colours: ChartColours; taken: readonly Box[] },
): void {
  paintHalf(ctx, zone, 0, aboveTone);
  paintHalf(ctx, zone, height, belowTone);
  paintHalfWords(ctx, zone, 34, { words: above, colour: aboveTone, font, ground, width, taken });
  paintHalfWords(ctx, zone, height, { words: below, colour: belowTone, font, ground, width, taken });
}

export function line(ctx: CanvasRenderingContext2D, colour: string, dash: number[], points: [number, number][]): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash(dash);
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.stroke();
  ctx.setLineDash([]);
}

export function ring(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string, ground: string): void {
  ctx.beginPath();
  ctx.arc(x, y, 4, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.stroke();
}

export interface Tag {
  readonly x: number;
  readonly words: string;
  /** Which part of the tag is at `x`. */
  readonly anchor: "left" | "center" | "right";
}

/** From where to where a tag goes, in a plot of this width. */
export function tagEdges(
  ctx: CanvasRenderingContext2D,
  { x, words, anchor }: Tag,
  { font, width }: { font: string; width: number },
): { readonly left: number; readonly size: number } {
  ctx.font = `500 12px ${font}`;
  const size = ctx.measureText(words).width + 16;
  const offset = { left: 0, center: size / 2, right: size }[anchor];
  return { left: Math.min(Math.max(x - offset, 2), width - size - 2), size };
}

/** A label on a filled ground. */
export function tag(
  ctx: CanvasRenderingContext2D,
  { y, ...place }: Tag & { readonly y: number },
  { ink, ground, font, width }: { ink: string; ground: string; font: string; width: number },
): void {
  const { words } = place;
  const { left, size } = tagEdges(ctx, place, { font, width });
  ctx.fillStyle = ground;
  ctx.beginPath();
  ctx.roundRect(left, y - TAG_PX / 2, size, TAG_PX, TAG_PX / 2);
  ctx.fill();
  ctx.fillStyle = ink;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillText(words, left + 8, y + 0.5);
}

/** Shades the made-up past and names it where it ends, or at the right edge if it ends beyond that. */
export function paintExamples(
  ctx: CanvasRenderingContext2D,
  { until, words }: Examples,
  { places, colours }: { places: Places; colours: ChartColours },
): void {
  const { width, height } = places;
  const end = Math.min(places.x(until), width);
  if (end <= 0) return;
  ctx.fillStyle = withAlpha(colours.soft, 0.06);
  ctx.fillRect(0, 0, end, height);
  const edge = Math.round(end) - 0.5;
  if (end < width) {
    line(
      ctx,
      colours.soft,
      [2, 3],
      [
        [edge, 0],
        [edge, height],
      ],
    );
  }
  const look = { ink: colours.soft, ground: withAlpha(colours.ground, 0.8), font: colours.font, width };
  tag(ctx, { x: edge - 4, y: height - TAG_PX / 2 - 4, words, anchor: "right" }, look);
}

/** What would win if an order began now. */
export function paintPreview(
  ctx: CanvasRenderingContext2D,
  preview: Preview,
  {
    places,
    colours,
    now,
    price,
    taken,
  }: { places: Places; colours: ChartColours; now: number; price: number; taken: readonly Box[] },
): void {
  const { width, height } = places;
  const [begin, end, level] = [places.x(now), places.x(now + preview.durationMs), places.y(price)];
  const zone = { left: Math.max(0, begin), right: Math.min(width, end), level };
  if (zone.right - zone.left < 8) return;
  paintZone(ctx, zone, [preview.upWords, preview.downWords], [colours.up, colours.down], { places, colours, taken });
  const edge = Math.round(Math.min(end, width - 1)) + 0.5;
  line(
    ctx,
    colours.soft,
    [2, 3],
    [
      [edge, 0],
      [edge, height],
    ],
  );
}

/** Draws a settled order's dot at its exit. */
export function paintSettled(
  ctx: CanvasRenderingContext2D,
  mark: SettledMark,
  { places, colours }: { places: Places; colours: ChartColours },
): void {
  const [x, y] = [places.x(mark.exitAt), places.y(Number(mark.exitPrice))];
  if (x >= 0 && x <= places.width) dot(ctx, [x, y], mark, colours);
}

export function dot(
  ctx: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  toned: Pick<SettledMark, "tone">,
  colours: ChartColours,
): void {
  ctx.beginPath();
  ctx.arc(x, y, 5, 0, 2 * Math.PI);
  ctx.fillStyle = toneColour(toned, colours);
  ctx.fill();
  ctx.strokeStyle = colours.ground;
  ctx.lineWidth = 2;
  ctx.stroke();
}

function toneColour({ tone }: Pick<SettledMark, "tone">, { up, down, soft }: ChartColours): string {
  return { up, down, flat: soft }[tone];
}

/** Draws the path of a settled order, as far as the replay has come. */
export function paintReplay(
  ctx: CanvasRenderingContext2D,
  { order, points, part }: Replay,
  { places, colours }: { places: Places; colours: ChartColours },
): void {
  const tone = toneColour(order, colours);
  const until = order.entryAt + (order.exitAt - order.entryAt) * part;
  const level = places.y(Number(order.entryPrice));
  line(
    ctx,
    colours.accent,
    [5, 4],
    [
      [places.x(order.entryAt), level],
      [places.x(order.exitAt), level],
    ],
  );
  const path = points.filter(({ at }) => at >= order.entryAt && at <= until);
  ctx.strokeStyle = tone;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  ctx.moveTo(places.x(order.entryAt), level);
  for (const { at, price } of path) ctx.lineTo(places.x(at), places.y(price));
  if (part === 1) ctx.lineTo(places.x(order.exitAt), places.y(Number(order.exitPrice)));
  ctx.stroke();
  ring(ctx, places.x(order.entryAt), level, colours.accent, colours.ground);
  if (part < 1) return;
  const look = { ink: colours.ground, ground: tone, font: colours.font, width: places.width };
  const [x, y] = [places.x(order.exitAt), places.y(Number(order.exitPrice))];
  tag(ctx, { x, y: y < 40 ? y + 22 : y - 22, words: order.words, anchor: "center" }, look);
}

/** Paints the parts of orders over the candles: tags, paths and settled orders. */
import type { ChartColours } from "./chart-colours.ts";
import type { Examples, Replay, SettledMark } from "./chart-scene.ts";
import type { LegendArea } from "./legend-fit.ts";
import { TAG_PX } from "./order-tags.ts";

/** Positions of instants and prices in the pane, in px. */
export interface Places {
  readonly width: number;
  readonly height: number;
  /** Extent of the figures in the upper corner, in px from the left, and from what the page covers. */
  readonly legend: LegendArea;
  /** Px of the upper edge that the page covers; those figures, and countdowns, stand below them. */
  readonly covered: number;
  readonly x: (at: number) => number;
  readonly y: (price: number) => number;
}

export function withAlpha(colour: string, alpha: number): string {
  return `color-mix(in srgb, ${colour} ${alpha * 100}%, transparent)`;
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

/** Shades the made-up past up to where it ends, and names it. */
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
  // In the corner that no button covers.
  tag(ctx, { x: 4, y: height - TAG_PX / 2 - 4, words, anchor: "left" }, look);
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

/** Paints where an order wins and where it loses, and what the ticket would begin. */
import type { ChartColours } from "./chart-colours.ts";
import type { Preview } from "./chart-scene.ts";
import { isTaken, TAG_PX, tagBox, type Box } from "./order-tags.ts";
import { line, tag, tagEdges, withAlpha, type Places } from "./scene-painter.ts";

/** The time of an order, split at its entry price. */
interface Zone {
  readonly left: number;
  readonly right: number;
  readonly level: number;
}

/** Two texts or colours: for the half above the entry price, and for the half below it. */
type Halves = readonly [above: string, below: string];

const SHADE = 0.2;
/** A preview narrower than this isn't drawn. */
export const PREVIEW_LEAST_PX = 8;
/** Distance of a half's words from the entry price, where nothing is in the way. */
const WORDS_FROM_LEVEL_PX = 60;
/** Space between words and the edges of their half, so that they never touch the other one. */
const MARGIN_PX = 1;
/** How far words move at a time to get clear of what is in their way. */
const STEP_PX = 2;

/** Draws half of a zone in one colour, strongest at the entry's level and fading out at the edge. */
function paintHalf(ctx: CanvasRenderingContext2D, { left, right, level }: Zone, edge: number, colour: string): void {
  const shade = ctx.createLinearGradient(0, level, 0, edge);
  shade.addColorStop(0, withAlpha(colour, SHADE));
  shade.addColorStop(1, withAlpha(colour, SHADE / 4));
  ctx.fillStyle = shade;
  ctx.fillRect(left, Math.min(level, edge), right - left, Math.abs(edge - level));
}

/** Shades both halves of a zone. */
export function paintZone(ctx: CanvasRenderingContext2D, zone: Zone, tones: Halves, height: number): void {
  paintHalf(ctx, zone, 0, tones[0]);
  paintHalf(ctx, zone, height, tones[1]);
}

/**
 * Returns the middle of words within their half of a zone, as close to where they usually are as tags let them. Null if
 * there is no room: in the other half they would say the opposite.
 *
 * @param half from its upper to its lower edge, in px
 */
export function wordsMiddle(
  half: { readonly from: number; readonly to: number; readonly usual: number },
  { left, size }: { readonly left: number; readonly size: number },
  taken: readonly Box[],
): number | null {
  const [least, most] = [half.from + TAG_PX / 2 + MARGIN_PX, half.to - TAG_PX / 2 - MARGIN_PX];
  const usual = Math.min(Math.max(half.usual, least), most);
  for (let away = 0; away <= most - least; away += STEP_PX) {
    for (const y of [usual - away, usual + away]) {
      if (y >= least && y <= most && !isTaken(tagBox(left, y, size), taken)) return y;
    }
  }
  return null;
}

/** Writes what each half of a zone means, on a ground that keeps candles from showing through. */
export function paintZoneWords(
  ctx: CanvasRenderingContext2D,
  { left, right, level }: Zone,
  { words, tones, taken }: { words: Halves; tones: Halves; taken: readonly Box[] },
  { places: { width, height, covered }, colours: { font, ground } }: { places: Places; colours: ChartColours },
): void {
  const halves = [
    { from: covered, to: Math.min(level, height), usual: level - WORDS_FROM_LEVEL_PX },
    { from: Math.max(level, covered), to: height, usual: level + WORDS_FROM_LEVEL_PX },
  ] as const;
  for (const nth of [0, 1] as const) {
    const place = { x: (left + right) / 2, words: words[nth], anchor: "center" } as const;
    const y = wordsMiddle(halves[nth], tagEdges(ctx, place, { font, width }), taken);
    if (y === null) continue;
    tag(ctx, { ...place, y }, { ink: tones[nth], ground: withAlpha(ground, 0.8), font, width });
  }
}

/** What would win if an order began now. */
export function paintPreview(
  ctx: CanvasRenderingContext2D,
  { durationMs, upWords, downWords }: Preview,
  look: { places: Places; colours: ChartColours; now: number; price: number; taken: readonly Box[] },
): void {
  const { places, colours, now, price, taken } = look;
  const { width, height } = places;
  const [begin, end, level] = [places.x(now), places.x(now + durationMs), places.y(price)];
  const zone = { left: Math.max(0, begin), right: Math.min(width, end), level };
  if (zone.right - zone.left < PREVIEW_LEAST_PX) return;
  const tones = [colours.up, colours.down] as const;
  paintZone(ctx, zone, tones, height);
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
  paintZoneWords(ctx, zone, { words: [upWords, downWords], tones, taken }, look);
}

import { parseDecimalText } from "./decimal-text.ts";

/**
 * Places of c2sp.org/tlog-tiles: `tile/<L>/<N>[.p/<W>]` for hashes and `tile/entries/<N>[.p/<W>]` for entries, N in
 * groups of three digits, all but the last with an `x`. A full tile is 256 wide and has no suffix.
 */
export const TILE_WIDTH = 256;
const LEVEL_MAX = 63;

export interface TilePlace {
  readonly level: number | "entries";
  readonly index: number;
  /** 1 to 256. */
  readonly width: number;
}

/** `tile/0/x001/x234/067.p/12`, relative to the log's prefix. */
export function formatTilePath({ level, index, width }: TilePlace): string {
  const digits = index.toString();
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) {
    groups.unshift(digits.slice(Math.max(0, end - 3), end).padStart(3, "0"));
  }
  const path = groups.map((group, place) => (place === groups.length - 1 ? group : `x${group}`)).join("/");
  return `tile/${level}/${path}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** Null for every path that `formatTilePath` does not write. */
export function parseTilePath(path: string): TilePlace | null {
  const found = /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/.exec(path);
  const [, levelText, groups, widthText] = found ?? [];
  if (levelText === undefined || groups === undefined) return null;
  const level = levelText === "entries" ? ("entries" as const) : parseDecimalText(levelText);
  const index = Number(groups.replaceAll(/[x/]/g, ""));
  const width = widthText === undefined ? TILE_WIDTH : parseDecimalText(widthText);
  if (level === null || (level !== "entries" && level > LEVEL_MAX) || width === null || width < 1) return null;
  if (!Number.isSafeInteger(index)) return null;
  const place = { level, index, width };
  return formatTilePath(place) === path ? place : null;
}

/** Hashes that a tree of `size` has at a level: of its entries 0, of its full tiles below 1 and above. */
export function hashesAtLevel(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** How wide the tile is in a tree of `size`; 0 where there is none. */
export function tileWidth(size: number, level: number | "entries", index: number): number {
  const count = hashesAtLevel(size, level === "entries" ? 0 : level) - index * TILE_WIDTH;
  return Math.max(0, Math.min(TILE_WIDTH, count));
}

/**
 * The tiles (hashes only) that are new or wider in a tree of `to` entries, as against `from`: what a writer has to
 * store. Lowest level first; within a level in order.
 */
export function newTiles(from: number, to: number): TilePlace[] {
  const tiles: TilePlace[] = [];
  for (let level = 0; hashesAtLevel(to, level) > 0; level += 1) {
    const [before, after] = [hashesAtLevel(from, level), hashesAtLevel(to, level)];
    if (before === after) break;
    for (let index = Math.floor(before / TILE_WIDTH); index * TILE_WIDTH < after; index += 1) {
      tiles.push({ level, index, width: tileWidth(to, level, index) });
    }
  }
  return tiles;
}

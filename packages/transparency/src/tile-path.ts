import { parseDecimalText } from "./decimal-text.ts";

/**
 * Width of a full tile. Paths are those of c2sp.org/tlog-tiles: `tile/<L>/<N>[.p/<W>]` for hashes and
 * `tile/entries/<N>[.p/<W>]` for entries, with N in groups of three digits, all but the last with an `x`. Full tiles
 * have no suffix.
 */
export const TILE_WIDTH = 256;
const LEVEL_MAX = 63;

export interface TilePlace {
  readonly level: number | "entries";
  readonly index: number;
  /** 1 to 256. */
  readonly width: number;
}

/** Formats a tile's path relative to the log's prefix, such as `tile/0/x001/x234/067.p/12`. */
export function formatTilePath({ level, index, width }: TilePlace): string {
  const digits = index.toString();
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) {
    groups.unshift(digits.slice(Math.max(0, end - 3), end).padStart(3, "0"));
  }
  const path = groups.map((group, place) => (place === groups.length - 1 ? group : `x${group}`)).join("/");
  return `tile/${level}/${path}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** Parses a tile's path; null for any path that `formatTilePath` does not write. */
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

/** Returns a tree's number of hashes at a level: of its entries at level 0, of full tiles below at higher levels. */
export function hashesAtLevel(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** Returns a tile's width in a tree of `size` entries; 0 if there is no such tile. */
export function tileWidth(size: number, level: number | "entries", index: number): number {
  const count = hashesAtLevel(size, level === "entries" ? 0 : level) - index * TILE_WIDTH;
  return Math.max(0, Math.min(TILE_WIDTH, count));
}

/**
 * Returns the tiles (of hashes only) that are new or wider in a tree of `to` entries than in one of `from`, which a
 * writer must store. Lowest level first, in order within a level.
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

import { merkleNode, type Hashes } from "@fairtick/domain";
import { decodeEntryBundle } from "./entry-bundle.ts";
import { formatTilePath, hashesAtLevel, TILE_WIDTH, tileWidth } from "./tile-path.ts";
import { rootOfHashes, type LogEdge, type TreeEdge } from "./tree-edge.ts";

/** Reads a log's files: fetched, from a folder, or from memory. `read` returns null if there is no such file. */
export interface LogReader {
  read(path: string): Promise<Uint8Array | null>;
}

/** Thrown if a file of the log is missing, has the wrong length, or does not belong to the tree. */
export class LogFileError extends Error {
  readonly path: string;

  constructor(path: string, what: string) {
    super(`${path} ${what}`);
    this.name = "LogFileError";
    this.path = path;
  }
}

const HASH_BYTES = 32;
const LEVEL_BITS = 8;

/**
 * A tree of `size` entries, read from its tiles. The tiles are not trusted, so callers must compare `root()` with a
 * checkpoint's or verify the proofs. Its methods reject with LogFileError for missing or malformed files.
 */
export interface TileTree {
  readonly size: number;
  root(): Promise<Uint8Array>;
  leaf(index: number): Promise<Uint8Array>;
  /**
   * Returns the proof of RFC 6962 section 2.1.1, from the leaf's sibling up. Rejects with RangeError outside the tree.
   */
  inclusionProof(index: number): Promise<Uint8Array[]>;
  /**
   * Returns the proof of RFC 6962 section 2.1.2 from a smaller tree of the same log; empty for 0 and for the same size.
   */
  consistencyProof(from: number): Promise<Uint8Array[]>;
}

export function openTileTree(hashes: Hashes, reader: LogReader, size: number): TileTree {
  const tiles = new Map<string, Promise<Uint8Array[]>>();

  function tile(level: number, index: number): Promise<Uint8Array[]> {
    const key = `${level}/${index}`;
    let found = tiles.get(key);
    if (found === undefined) {
      found = readTile(reader, size, level, index);
      tiles.set(key, found);
    }
    return found;
  }

  /** Calculates the root of the `2^height` entries from `from` on, a multiple of that. All must be in the tree. */
  async function perfect(height: number, from: number): Promise<Uint8Array> {
    const level = Math.floor(height / LEVEL_BITS);
    const width = 2 ** (height % LEVEL_BITS);
    const first = from / TILE_WIDTH ** level;
    const held = await tile(level, Math.floor(first / TILE_WIDTH));
    const start = first % TILE_WIDTH;
    return rootOfHashes(hashes, held.slice(start, start + width));
  }

  async function range(from: number, to: number): Promise<Uint8Array> {
    const split = largestPowerBelow(to - from);
    if (split * 2 === to - from) return perfect(Math.log2(to - from), from);
    if (to - from === 1) return perfect(0, from);
    return merkleNode(hashes, await range(from, from + split), await range(from + split, to));
  }

  async function path(index: number, from: number, to: number): Promise<Uint8Array[]> {
    if (to - from === 1) return [];
    const middle = from + largestPowerBelow(to - from);
    return index < middle
      ? [...(await path(index, from, middle)), await range(middle, to)]
      : [...(await path(index, middle, to)), await range(from, middle)];
  }

  /** `whole`: true if the older tree is a complete subtree here, so that the verifier already has its root. */
  async function subproof(old: number, from: number, to: number, whole: boolean): Promise<Uint8Array[]> {
    if (old === to) return whole ? [] : [await range(from, to)];
    const middle = from + largestPowerBelow(to - from);
    return old <= middle
      ? [...(await subproof(old, from, middle, whole)), await range(middle, to)]
      : [...(await subproof(old, middle, to, false)), await range(from, middle)];
  }

  return {
    size,
    root: async () => (size === 0 ? hashes.sha256(new Uint8Array(0)) : range(0, size)),
    async leaf(index) {
      assertWithin(index, size);
      return perfect(0, index);
    },
    async inclusionProof(index) {
      assertWithin(index, size);
      return path(index, 0, size);
    },
    async consistencyProof(from) {
      if (!Number.isInteger(from) || from < 0 || from > size) throw new RangeError(`no tree of ${from} in ${size}`);
      return from === 0 || from === size ? [] : subproof(from, 0, size, true);
    },
  };
}

/** Reads the edge that a writer continues from. The caller must compare its root with the signed one. */
export async function readLogEdge(reader: LogReader, size: number): Promise<LogEdge> {
  const last = Math.floor(size / TILE_WIDTH);
  const bundle = size % TILE_WIDTH === 0 ? [] : await readEntries(reader, size, last);
  return { tree: await readTreeEdge(reader, size, size), bundle };
}

/** Reads the edge as it was at `size` from the tiles of the log at `sizeNow`, which is no smaller. */
export async function readTreeEdge(reader: LogReader, size: number, sizeNow: number): Promise<TreeEdge> {
  const levels: Uint8Array[][] = [];
  for (let level = 0; hashesAtLevel(size, level) > 0; level += 1) {
    const count = hashesAtLevel(size, level);
    const held = count % TILE_WIDTH;
    const tile = held === 0 ? [] : await readTile(reader, sizeNow, level, Math.floor(count / TILE_WIDTH));
    levels.push(tile.slice(0, held));
  }
  return { size, levels };
}

/** Reads the entries of one bundle in a tree of `size` entries: 256, or fewer in the last bundle. */
export async function readEntries(reader: LogReader, size: number, index: number): Promise<Uint8Array[]> {
  const width = tileWidth(size, "entries", index);
  const path = formatTilePath({ level: "entries", index, width });
  const exact = await reader.read(path);
  const bytes = exact ?? (await reader.read(formatTilePath({ level: "entries", index, width: TILE_WIDTH })));
  if (bytes === null) throw new LogFileError(path, "is missing");
  const entries = decodeEntryBundle(bytes, exact === null ? TILE_WIDTH : width);
  if (entries === null) throw new LogFileError(path, `does not hold ${width} entries`);
  return entries.slice(0, width);
}

/** Reads a tile. A partial tile that was deleted is read from the full one (c2sp.org/tlog-tiles, "Partial Tiles"). */
async function readTile(reader: LogReader, size: number, level: number, index: number): Promise<Uint8Array[]> {
  const width = tileWidth(size, level, index);
  const path = formatTilePath({ level, index, width });
  const exact = await reader.read(path);
  const bytes = exact ?? (await reader.read(formatTilePath({ level, index, width: TILE_WIDTH })));
  if (bytes === null) throw new LogFileError(path, "is missing");
  const held = exact === null ? TILE_WIDTH : width;
  if (bytes.length !== held * HASH_BYTES) throw new LogFileError(path, `does not hold ${held} hashes`);
  return Array.from({ length: width }, (_, place) => bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES));
}

/** Returns the largest power of two that is smaller than `count`; 0 for 1. */
function largestPowerBelow(count: number): number {
  let power = 1;
  if (count < 2) return 0;
  while (power * 2 < count) power *= 2;
  return power;
}

function assertWithin(index: number, size: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`no entry ${index} in ${size}`);
}

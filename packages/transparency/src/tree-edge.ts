import { concatBytes, merkleLeaf, merkleNode, type Hashes } from "@fairtick/domain";
import { encodeEntryBundle } from "./entry-bundle.ts";
import { formatTilePath, TILE_WIDTH, tileWidth } from "./tile-path.ts";

/**
 * The right edge of a growing tree: all that is needed to add entries, make the changed tiles and calculate the root.
 * It is immutable: growing returns a new edge, so that a writer can drop one that failed to be stored.
 */
export interface TreeEdge {
  readonly size: number;
  /** For each level, the hashes of its last tile if that is not full. */
  readonly levels: readonly (readonly Uint8Array[])[];
}

export const EMPTY_EDGE: TreeEdge = { size: 0, levels: [] };

export interface StoredFile {
  /** Path relative to the log's prefix, such as `tile/0/000.p/3`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Adds leaf hashes. `files` are the tiles to be stored: the full ones, which never change again, and the last partial
 * tile of each level that grew.
 */
export function growEdge(
  hashes: Hashes,
  edge: TreeEdge,
  leaves: readonly Uint8Array[],
): { readonly edge: TreeEdge; readonly files: readonly StoredFile[] } {
  const size = edge.size + leaves.length;
  const levels = edge.levels.map((tile) => [...tile]);
  const files: StoredFile[] = [];
  let added = leaves;
  let total = edge.size;
  for (let level = 0; added.length > 0; level += 1) {
    const tile = (levels[level] ??= []);
    const full: Uint8Array[] = [];
    for (const hash of added) {
      tile.push(hash);
      total += 1;
      if (tile.length < TILE_WIDTH) continue;
      files.push(tileFile(level, total / TILE_WIDTH - 1, tile));
      full.push(rootOfHashes(hashes, tile));
      tile.length = 0;
    }
    if (tile.length > 0) files.push(tileFile(level, Math.floor(total / TILE_WIDTH), tile));
    total = Math.floor(edge.size / TILE_WIDTH ** (level + 1));
    added = full;
  }
  return { edge: { size, levels }, files };
}

function tileFile(level: number, index: number, tile: readonly Uint8Array[]): StoredFile {
  return { path: formatTilePath({ level, index, width: tile.length }), bytes: concatBytes(...tile) };
}

/** Calculates the tree's root from the perfect subtrees of each level, with the lower levels' remainder last. */
export function edgeRoot(hashes: Hashes, edge: TreeEdge): Uint8Array {
  let rest: Uint8Array | undefined;
  for (const level of edge.levels) {
    const subtrees = rest === undefined ? level : [...level, rest];
    if (subtrees.length > 0) rest = rootOfHashes(hashes, subtrees);
  }
  return rest ?? hashes.sha256(new Uint8Array(0));
}

/** Calculates the root over leaf hashes or subtree roots (RFC 6962). An odd last one is moved up unchanged. */
export function rootOfHashes(hashes: Hashes, list: readonly Uint8Array[]): Uint8Array {
  let level = list;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index], level[index + 1]];
      if (left !== undefined) above.push(right === undefined ? left : merkleNode(hashes, left, right));
    }
    level = above;
  }
  return level[0] ?? hashes.sha256(new Uint8Array(0));
}

/** A log's edge, with the entries of its last bundle if that is not full. */
export interface LogEdge {
  readonly tree: TreeEdge;
  readonly bundle: readonly Uint8Array[];
}

export const EMPTY_LOG: LogEdge = { tree: EMPTY_EDGE, bundle: [] };

/** Adds entries. `files`: the bundles, then the tiles to be stored. Throws RangeError for an entry over 65,535 bytes. */
export function growLog(
  hashes: Hashes,
  log: LogEdge,
  entries: readonly Uint8Array[],
): { readonly log: LogEdge; readonly files: readonly StoredFile[] } {
  const { size } = log.tree;
  const grown = growEdge(
    hashes,
    log.tree,
    entries.map((entry) => merkleLeaf(hashes, entry)),
  );
  const files: StoredFile[] = [];
  const all = [...log.bundle, ...entries];
  const first = Math.floor(size / TILE_WIDTH);
  let bundle: readonly Uint8Array[] = [];
  for (let from = 0; entries.length > 0 && from < all.length; from += TILE_WIDTH) {
    const held = all.slice(from, from + TILE_WIDTH);
    const index = first + from / TILE_WIDTH;
    const width = tileWidth(grown.edge.size, "entries", index);
    files.push({ path: formatTilePath({ level: "entries", index, width }), bytes: encodeEntryBundle(held) });
    bundle = held.length < TILE_WIDTH ? held : [];
  }
  return {
    log: { tree: grown.edge, bundle: entries.length > 0 ? bundle : log.bundle },
    files: [...files, ...grown.files],
  };
}

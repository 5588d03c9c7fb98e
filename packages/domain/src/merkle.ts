import { concatBytes, equalBytes, utf8 } from "./bytes.ts";
import type { Hashes } from "./hashes.ts";

/**
 * Merkle trees of RFC 6962: leaf = SHA256(0x00 || entry), node = SHA256(0x01 || left || right), split at the largest
 * power of two below n. Built level by level: an odd last node rises unchanged, which gives that same split.
 */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const HASH_BYTES = 32;
/** A node's bytes, filled anew by each call; nothing here waits, so no two calls meet in them. */
const nodeBytes = new Uint8Array(1 + 2 * HASH_BYTES);
nodeBytes.set(NODE);
const leafBytes = new Uint8Array(1 + HASH_BYTES);
leafBytes.set(LEAF);

export interface MerkleTree {
  readonly root: Uint8Array;
  /** Sibling hashes from the leaf up. Throws for an index outside the tree. */
  pathOf(index: number): Uint8Array[];
}

export function merkleLeaf(hashes: Hashes, entry: Uint8Array): Uint8Array {
  if (entry.length !== HASH_BYTES) return hashes.sha256(concatBytes(LEAF, entry));
  leafBytes.set(entry, 1);
  return hashes.sha256(leafBytes);
}

export function merkleNode(hashes: Hashes, left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) return hashes.sha256(concatBytes(NODE, left, right));
  nodeBytes.set(left, 1);
  nodeBytes.set(right, 1 + HASH_BYTES);
  return hashes.sha256(nodeBytes);
}

/** Tree over entries (not yet hashed as leaves). The empty tree's root is SHA256 of nothing. */
export function merkleTree(hashes: Hashes, entries: readonly Uint8Array[]): MerkleTree {
  const leaves = entries.map((entry) => merkleLeaf(hashes, entry));
  const levels = [leaves];
  for (let level = leaves; level.length > 1;) {
    level = parents(hashes, level);
    levels.push(level);
  }
  return {
    root: levels.at(-1)?.[0] ?? hashes.sha256(utf8("")),
    pathOf(index) {
      if (!Number.isInteger(index) || index < 0 || index >= leaves.length) throw new RangeError(`no leaf ${index}`);
      const path: Uint8Array[] = [];
      let place = index;
      for (const level of levels) {
        const sibling = level[place ^ 1];
        if (sibling !== undefined && level.length > 1) path.push(sibling);
        place >>>= 1;
      }
      return path;
    },
  };
}

function parents(hashes: Hashes, level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index];
    const right = level[index + 1];
    if (left !== undefined) above.push(right === undefined ? left : merkleNode(hashes, left, right));
  }
  return above;
}

export function merkleRoot(hashes: Hashes, entries: readonly Uint8Array[]): Uint8Array {
  return merkleTree(hashes, entries).root;
}

/** An entry's place in a tree, with the sibling hashes from the leaf up. */
export interface MerklePath {
  readonly entry: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** The root that the path leads to; null where it does not fit the place. */
export function merklePathRoot(hashes: Hashes, { entry, index, size, path }: MerklePath): Uint8Array | null {
  if (!Number.isInteger(index) || !Number.isInteger(size) || index < 0 || index >= size) return null;
  let hash = merkleLeaf(hashes, entry);
  let place = index;
  let last = size - 1;
  let used = 0;
  while (last > 0) {
    // Without a right neighbour the node rises unchanged.
    if (place % 2 === 1 || place < last) {
      const sibling = path[used];
      if (sibling === undefined) return null;
      used += 1;
      hash = place % 2 === 1 ? merkleNode(hashes, sibling, hash) : merkleNode(hashes, hash, sibling);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return used === path.length ? hash : null;
}

/** Whether `entry` stands at `index` of the tree of `size` entries with that root. */
export function verifyMerklePath(hashes: Hashes, proof: MerklePath & { readonly root: Uint8Array }): boolean {
  const root = merklePathRoot(hashes, proof);
  return root !== null && equalBytes(root, proof.root);
}

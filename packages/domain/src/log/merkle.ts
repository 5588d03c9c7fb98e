import { concatBytes, copyBytes, equalBytes, utf8 } from "./bytes.ts";
import type { Hashes } from "./hashes.ts";

/**
 * Merkle trees of RFC 6962: leaf = SHA256(0x00 || entry), node = SHA256(0x01 || left || right), split at the largest
 * power of two below n. They are built level by level; an odd last node moves up unchanged, which yields the same
 * split.
 */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const HASH_BYTES = 32;
/** Buffer of a node's bytes, reused by every call. All code here is synchronous, so calls can't interfere. */
const nodeBytes = new Uint8Array(1 + 2 * HASH_BYTES);
nodeBytes.set(NODE);
const leafBytes = new Uint8Array(1 + HASH_BYTES);
leafBytes.set(LEAF);

export interface MerkleTree {
  readonly root: Uint8Array;
  /** Returns the sibling hashes from the leaf up. Throws for an index outside the tree. */
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

/** Builds the tree over entries that aren't hashed yet. The root of an empty tree is the SHA256 of no bytes. */
export function merkleTree(hashes: Hashes, entries: readonly Uint8Array[]): MerkleTree {
  const leaves = new Uint8Array(entries.length * HASH_BYTES);
  for (const [index, entry] of entries.entries()) leaves.set(merkleLeaf(hashes, entry), index * HASH_BYTES);
  return treeOf(hashes, leaves);
}

/** Builds the same tree over entries of 32 bytes that are concatenated in one array. */
export function merkleTreeOfHashes(hashes: Hashes, entries: Uint8Array): MerkleTree {
  const leaves = new Uint8Array(entries.length);
  for (let start = 0; start < entries.length; start += HASH_BYTES) {
    copyBytes(entries, start, HASH_BYTES, leafBytes, 1);
    hashes.sha256Into(leafBytes, leaves, start);
  }
  return treeOf(hashes, leaves);
}

/** Builds the levels one by one. Each is one array of concatenated hashes. */
function treeOf(hashes: Hashes, leaves: Uint8Array): MerkleTree {
  const levels = [leaves];
  for (let level = leaves; level.length > HASH_BYTES;) {
    level = parents(hashes, level);
    levels.push(level);
  }
  const root = levels.at(-1) ?? leaves;
  return {
    root: root.length === 0 ? hashes.sha256(utf8("")) : root,
    pathOf(index) {
      if (!Number.isInteger(index) || index < 0 || index >= leaves.length / HASH_BYTES)
        throw new RangeError(`the tree has no leaf ${index}`);
      const path: Uint8Array[] = [];
      let place = index;
      for (const level of levels) {
        const sibling = (place ^ 1) * HASH_BYTES;
        if (level.length > HASH_BYTES && sibling < level.length)
          path.push(level.subarray(sibling, sibling + HASH_BYTES));
        place >>>= 1;
      }
      return path;
    },
  };
}

function parents(hashes: Hashes, level: Uint8Array): Uint8Array {
  const pairBytes = 2 * HASH_BYTES;
  const above = new Uint8Array(Math.ceil(level.length / pairBytes) * HASH_BYTES);
  for (let start = 0, target = 0; start < level.length; start += pairBytes, target += HASH_BYTES) {
    if (start + pairBytes > level.length) {
      copyBytes(level, start, HASH_BYTES, above, target);
    } else {
      copyBytes(level, start, pairBytes, nodeBytes, 1);
      hashes.sha256Into(nodeBytes, above, target);
    }
  }
  return above;
}

export function merkleRoot(hashes: Hashes, entries: readonly Uint8Array[]): Uint8Array {
  return merkleTree(hashes, entries).root;
}

/** An entry's index in a tree, with the sibling hashes from the leaf up. */
export interface MerklePath {
  readonly entry: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** Returns the root that a path leads to; null if the path's length doesn't match the entry's index. */
export function merklePathRoot(hashes: Hashes, { entry, index, size, path }: MerklePath): Uint8Array | null {
  if (!Number.isInteger(index) || !Number.isInteger(size) || index < 0 || index >= size) return null;
  let hash = merkleLeaf(hashes, entry);
  let place = index;
  let last = size - 1;
  let used = 0;
  while (last > 0) {
    // A node without a right neighbour moves up unchanged.
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

/** Returns whether `entry` is at `index` of the tree of `size` entries with the given root. */
export function verifyMerklePath(hashes: Hashes, proof: MerklePath & { readonly root: Uint8Array }): boolean {
  const root = merklePathRoot(hashes, proof);
  return root !== null && equalBytes(root, proof.root);
}

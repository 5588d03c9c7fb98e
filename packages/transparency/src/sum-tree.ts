import { canonicalJson, concatBytes, u64, utf8, type Hashes } from "@fairtick/domain";

/**
 * A node of the Merkle sum tree over what is owed to members. Each node has the sum of everything below it, and a
 * parent's hash binds the sums of both children. A member who checks their own path knows that their amount is in the
 * published sum.
 */
export interface SumNode {
  /** Micro-USD, zero and above. */
  readonly sum: bigint;
  readonly hash: Uint8Array;
}

/** Contents of a leaf. It includes `member`, so that two members with the same amount can't be shown the same leaf. */
export interface SumLeaf {
  /** UTC days since 1970. */
  readonly day: number;
  readonly wallet: "real";
  readonly member: string;
  /** Micro-USD. */
  readonly amount: bigint;
  /** 16 random bytes. They keep a member who sees the leaf's hash as a neighbour's from finding out whose it is. */
  readonly nonce: Uint8Array;
}

export interface SumStep {
  /** The side that the neighbour is on. */
  readonly side: "left" | "right";
  readonly node: SumNode;
}

export const SUM_NONCE_BYTES = 16;
const SUM_END = 1n << 128n;
/** The longest allowed path. No tree of members is higher. */
const STEPS_MAX = 64;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Makes a leaf: SHA256(0x00 || nonce || canonical JSON of amount, day, member, v, wallet). Throws if amount is negative. */
export function sumLeaf(hashes: Hashes, { day, wallet, member, amount, nonce }: SumLeaf): SumNode {
  const json = canonicalJson({ amount, day, member, v: 1, wallet });
  u128(amount);
  return { sum: amount, hash: hashes.sha256(concatBytes(LEAF, nonce, utf8(json))) };
}

/** Makes a parent: SHA256(0x01 || u128(left sum) || left hash || u128(right sum) || right hash). */
export function sumParent(hashes: Hashes, left: SumNode, right: SumNode): SumNode {
  return {
    sum: left.sum + right.sum,
    hash: hashes.sha256(concatBytes(NODE, u128(left.sum), left.hash, u128(right.sum), right.hash)),
  };
}

/** Returns the level above; an odd last node is moved up unchanged, as in RFC 6962. */
export function sumParents(hashes: Hashes, level: readonly SumNode[]): SumNode[] {
  const above: SumNode[] = [];
  for (let place = 0; place < level.length; place += 2) {
    const [left, right] = [level[place], level[place + 1]];
    if (left !== undefined) above.push(right === undefined ? left : sumParent(hashes, left, right));
  }
  return above;
}

/**
 * Returns the side and place of a node's neighbour in a level of `size` nodes; null if the node is moved up unchanged.
 */
export function sumNeighbour(place: number, size: number): { side: SumStep["side"]; place: number } | null {
  if (place % 2 === 1) return { side: "left", place: place - 1 };
  return place + 1 < size ? { side: "right", place: place + 1 } : null;
}

/** Returns the root that a leaf's path leads to; null if the path is malformed or too long, or a sum out of range. */
export function sumPathRoot(hashes: Hashes, leaf: SumLeaf, path: readonly SumStep[]): SumNode | null {
  if (leaf.nonce.length !== SUM_NONCE_BYTES || path.length > STEPS_MAX || !isSum(leaf.amount)) return null;
  let node = sumLeaf(hashes, leaf);
  for (const { side, node: beside } of path) {
    if (!isSum(beside.sum) || !isSum(node.sum) || beside.hash.length !== 32) return null;
    node = side === "left" ? sumParent(hashes, beside, node) : sumParent(hashes, node, beside);
  }
  return node;
}

function isSum(value: bigint): boolean {
  return value >= 0n && value < SUM_END;
}

/** Encodes a number as sixteen bytes, big-endian. Throws RangeError if it doesn't fit. */
function u128(value: bigint): Uint8Array {
  if (!isSum(value)) throw new RangeError(`not a u128: ${value}`);
  return concatBytes(u64(value >> 64n), u64(value & 0xffff_ffff_ffff_ffffn));
}

import { canonicalJson, concatBytes, u64, utf8, type Hashes } from "@fairtick/domain";

/**
 * The Merkle sum tree of what is owed to members. Each node carries the sum of everything below it, and a parent's hash
 * binds the sums of both children. A member who checks their own path knows that their amount is in the published sum.
 */
export interface SumNode {
  /** Micro-USD, zero and above. */
  readonly sum: bigint;
  readonly hash: Uint8Array;
}

/** What a leaf stands for. `member` is in it, so that two members with the same amount cannot be shown one leaf. */
export interface SumLeaf {
  /** UTC days since 1970. */
  readonly day: number;
  readonly wallet: "real";
  readonly member: string;
  /** Micro-USD. */
  readonly amount: bigint;
  /** 16 random bytes: who sees the leaf as a neighbour learns its amount, and not whose it is. */
  readonly nonce: Uint8Array;
}

export interface SumStep {
  /** On which side the neighbour stands. */
  readonly side: "left" | "right";
  readonly node: SumNode;
}

export const SUM_NONCE_BYTES = 16;
const SUM_END = 1n << 128n;
/** The longest path: no tree of people is higher. */
const STEPS_MAX = 64;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** SHA256(0x00 || nonce || canonical JSON of amount, day, member, v, wallet). Throws for an amount below zero. */
export function sumLeaf(hashes: Hashes, { day, wallet, member, amount, nonce }: SumLeaf): SumNode {
  const json = canonicalJson({ amount, day, member, v: 1, wallet });
  u128(amount);
  return { sum: amount, hash: hashes.sha256(concatBytes(LEAF, nonce, utf8(json))) };
}

/** SHA256(0x01 || u128(left sum) || left hash || u128(right sum) || right hash). */
export function sumParent(hashes: Hashes, left: SumNode, right: SumNode): SumNode {
  return {
    sum: left.sum + right.sum,
    hash: hashes.sha256(concatBytes(NODE, u128(left.sum), left.hash, u128(right.sum), right.hash)),
  };
}

/** The level above; an odd last node rises unchanged, as in RFC 6962. */
export function sumParents(hashes: Hashes, level: readonly SumNode[]): SumNode[] {
  const above: SumNode[] = [];
  for (let place = 0; place < level.length; place += 2) {
    const [left, right] = [level[place], level[place + 1]];
    if (left !== undefined) above.push(right === undefined ? left : sumParent(hashes, left, right));
  }
  return above;
}

/** Where the neighbour of `place` stands in a level of `size` nodes; null where the node rises unchanged. */
export function sumNeighbour(place: number, size: number): { side: SumStep["side"]; place: number } | null {
  if (place % 2 === 1) return { side: "left", place: place - 1 };
  return place + 1 < size ? { side: "right", place: place + 1 } : null;
}

/** Answers the root that a leaf's path leads to; null where a sum on it is below zero, or where the path is too long. */
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

/** Writes a number as sixteen bytes, big-endian. Throws when it does not fit. */
function u128(value: bigint): Uint8Array {
  if (!isSum(value)) throw new RangeError(`not a u128: ${value}`);
  return concatBytes(u64(value >> 64n), u64(value & 0xffff_ffff_ffff_ffffn));
}

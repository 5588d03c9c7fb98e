import { concatBytes, copyBytes, toHex, u32, u64, utf8, utf8Into } from "../log/bytes.ts";
import type { Hashes } from "../log/hashes.ts";
import { formatId } from "../base/ids.ts";
import type { Instant } from "../base/time.ts";
import type { SealedPart } from "./order.ts";
import type { OrderRequest, ProposedOrder } from "./placement.ts";

/**
 * Commitments to orders, with which the public log binds the house before an order's prices are known. A commitment has
 * two parts: the terms, which the settlement reveals to everyone, and a private part, which only the member and the
 * house can reveal.
 */

/** Length of each of an order's two nonces. They are random, so that a commitment reveals nothing about the order. */
export const NONCE_BYTES = 16;
/** Length of an order's two nonces together: first the one for its terms, then the one for its private part. */
export const ORDER_NONCES_BYTES = 2 * NONCE_BYTES;
const COMMITMENT_BYTES = 32;

const TERMS_PREFIX = utf8("TERMS2\0");
const PRIVATE_PREFIX = utf8("PRIVATE2\0");
const ORDER_PREFIX = utf8("ORD2\0");
const REFUSAL_PREFIX = utf8("REFUSAL2\0");
const BATCH_PREFIX = utf8("BATCH2\0");
/** Prefix of orders in logs from before sealed orders existed. */
const FORMER_ORDER_PREFIX = utf8("ORD1\0");
const FORMER_BATCH_PREFIX = utf8("BATCH1\0");

/** The terms that a settlement reveals. */
export interface Terms extends Pick<ProposedOrder, "symbol" | "durationSeconds" | "direction" | "limitPrice"> {
  /** Null for an order that wasn't sealed. */
  readonly seal: Uint8Array | null;
}

/** Returns the terms of an order or of a wish for one. */
export function termsOf({
  symbol,
  durationSeconds,
  direction,
  limitPrice,
  sealed,
}: Pick<ProposedOrder, "symbol" | "durationSeconds" | "direction" | "limitPrice" | "sealed">): Terms {
  return { symbol, durationSeconds, direction, limitPrice, seal: sealed?.seal ?? null };
}

/**
 * Writes the terms as canonical JSON. An order that isn't sealed has its direction and limit price instead of the seal.
 */
export function termsJson({ symbol, durationSeconds, direction, limitPrice, seal }: Terms): string {
  // Symbols, directions and hexadecimal contain nothing that JSON escapes.
  return seal === null
    ? `{"direction":"${direction}","duration":${durationSeconds},"limitPrice":${limitPrice},"symbol":"${symbol}","v":2}`
    : `{"duration":${durationSeconds},"seal":"${toHex(seal)}","symbol":"${symbol}","v":2}`;
}

/**
 * Writes an order's private part as canonical JSON, with the signature of the member's device. Integers are micro-USD
 * or millionths, null means none, and `profit` is the profit if the order is won. The JSON is assembled by hand,
 * because one is made for every acceptance.
 */
export function privateJson(order: ProposedOrder): string {
  // One `concat` call instead of a template, which would create a string for each of its parts.
  return '{"clientOrderId":"'.concat(
    order.clientOrderId,
    `","configVersion":${order.configVersion},`,
    deviceJson(order.sealed),
    ',"fee":',
    String(order.fee),
    ',"member":"',
    formatId("member", order.memberId),
    '","orderNo":"',
    formatId("order", order.orderId),
    '","payoutRate":',
    String(order.payoutRate),
    ',"profit":',
    String(order.profitIfWon),
    ",",
    seenJson(order.sealed),
    ',"stake":',
    String(order.stake),
    ',"v":2,"wallet":"',
    order.wallet,
    '"}',
  );
}

/** Writes the private part of a refused wish as canonical JSON: the wish as sent, and the reason for the refusal. */
export function refusalJson(wish: JudgedWish, reason: string): string {
  return '{"clientOrderId":"'.concat(
    wish.clientOrderId,
    '",',
    deviceJson(wish.sealed),
    `,"fee":${wish.fee},"member":"`,
    formatId("member", wish.memberId),
    `","payoutRate":${wish.payoutRate},"reason":"${reason}",`,
    seenJson(wish.sealed),
    `,"stake":${wish.stake},"v":2,"wallet":"${wish.wallet}"}`,
  );
}

function deviceJson(sealed: SealedPart | null): string {
  return sealed === null ? '"device":null' : `"device":"${formatId("device", sealed.deviceId)}"`;
}

function seenJson(sealed: SealedPart | null): string {
  if (sealed === null) return '"seenHash":null,"seenSlot":null,"signature":null';
  const { seenHash, seenSlot, signature } = sealed;
  return `"seenHash":"${toHex(seenHash)}","seenSlot":${seenSlot},"signature":"${toHex(signature)}"`;
}

/** Returns SHA256("TERMS2\0" || nonce (16 bytes) || terms JSON). */
export function termsHash(hashes: Hashes, nonce: Uint8Array, json: string): Uint8Array {
  return hashes.sha256(concatBytes(TERMS_PREFIX, nonce, utf8(json)));
}

/** Returns SHA256("PRIVATE2\0" || nonce (16 bytes) || private or refusal JSON). */
export function privateHash(hashes: Hashes, nonce: Uint8Array, json: string): Uint8Array {
  return hashes.sha256(concatBytes(PRIVATE_PREFIX, nonce, utf8(json)));
}

/** Returns an order's commitment, which its batch publishes: SHA256("ORD2\0" || terms hash || private hash). */
export function orderCommitment(hashes: Hashes, terms: Uint8Array, own: Uint8Array): Uint8Array {
  return hashes.sha256(concatBytes(ORDER_PREFIX, terms, own));
}

/** Returns a refusal's commitment, which its batch publishes: SHA256("REFUSAL2\0" || terms hash || private hash). */
export function refusalCommitment(hashes: Hashes, terms: Uint8Array, own: Uint8Array): Uint8Array {
  return hashes.sha256(concatBytes(REFUSAL_PREFIX, terms, own));
}

/** A wish for an order as it was sent and judged. */
export type JudgedWish = Omit<OrderRequest, "orderId" | "vouched">;

/** A wish that was refused, with the reason. */
export interface RefusedWish {
  readonly wish: JudgedWish;
  readonly reason: string;
}

/**
 * Makes the commitments of a batch, 32 bytes each, concatenated: first those of its orders, then those of its refusals.
 * `nonces` holds ORDER_NONCES_BYTES for each. Throws a RangeError if one of them exceeds about a thousand bytes.
 */
export function batchCommitments(
  hashes: Hashes,
  nonces: Uint8Array,
  orders: readonly ProposedOrder[],
  refusals: readonly RefusedWish[] = [],
): Uint8Array {
  const commitments = new Uint8Array((orders.length + refusals.length) * COMMITMENT_BYTES);
  for (const [place, order] of orders.entries())
    commit(hashes, ORDER_PREFIX, nonces, place, termsJson(termsOf(order)), privateJson(order), commitments);
  for (const [index, { wish, reason }] of refusals.entries()) {
    const place = orders.length + index;
    commit(hashes, REFUSAL_PREFIX, nonces, place, termsJson(termsOf(wish)), refusalJson(wish, reason), commitments);
  }
  return commitments;
}

/** Buffers of what is hashed, reused by every call. All code here is synchronous, so calls can't interfere. */
const termsBytes = room(TERMS_PREFIX);
const privateBytes = room(PRIVATE_PREFIX);
const pairBytes = new Uint8Array(16 + 2 * COMMITMENT_BYTES);

function room(prefix: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1024);
  bytes.set(prefix);
  return bytes;
}

function commit(
  hashes: Hashes,
  prefix: Uint8Array,
  nonces: Uint8Array,
  place: number,
  terms: string,
  own: string,
  commitments: Uint8Array,
): void {
  copyBytes(prefix, 0, prefix.length, pairBytes, 0);
  const nonceAt = place * ORDER_NONCES_BYTES;
  hashInto(hashes, termsBytes, TERMS_PREFIX.length, nonces, nonceAt, terms, prefix.length);
  const ownAt = prefix.length + COMMITMENT_BYTES;
  hashInto(hashes, privateBytes, PRIVATE_PREFIX.length, nonces, nonceAt + NONCE_BYTES, own, ownAt);
  hashes.sha256Into(pairBytes.subarray(0, ownAt + COMMITMENT_BYTES), commitments, place * COMMITMENT_BYTES);
}

/** Writes the hash of prefix, nonce and text into `pairBytes`. */
function hashInto(
  hashes: Hashes,
  bytes: Uint8Array,
  prefixLength: number,
  nonces: Uint8Array,
  nonceAt: number,
  text: string,
  target: number,
): void {
  copyBytes(nonces, nonceAt, NONCE_BYTES, bytes, prefixLength);
  const start = prefixLength + NONCE_BYTES;
  const length = utf8Into(text, bytes.subarray(start));
  if (length === null) throw new RangeError("an order is too long for a commitment");
  hashes.sha256Into(bytes.subarray(0, start + length), pairBytes, target);
}

/**
 * Returns a batch's root: SHA256("BATCH2\0" || u64(number) || u64(acceptedAt) || u32(number of accepted orders) ||
 * Merkle root of the commitments, refusals last). PostgreSQL calculates the same.
 */
export function batchRoot(
  hashes: Hashes,
  batchNo: bigint,
  acceptedAt: Instant,
  accepted: number,
  commitmentsRoot: Uint8Array,
): Uint8Array {
  return hashes.sha256(concatBytes(BATCH_PREFIX, u64(batchNo), u64(acceptedAt), u32(accepted), commitmentsRoot));
}

/** Returns the commitment of an order from before sealed orders: SHA256("ORD1\0" || nonce (16 bytes) || order JSON). */
export function formerOrderCommitment(hashes: Hashes, nonce: Uint8Array, json: string): Uint8Array {
  return hashes.sha256(concatBytes(FORMER_ORDER_PREFIX, nonce, utf8(json)));
}

/** Writes an order from before sealed orders as canonical JSON, including all its fields. */
export function formerOrderJson(order: ProposedOrder): string {
  return (
    `{"clientOrderId":"${order.clientOrderId}","configVersion":${order.configVersion},"direction":"${order.direction}"` +
    `,"duration":${order.durationSeconds},"fee":${order.fee},"limitPrice":${order.limitPrice}` +
    `,"member":"${formatId("member", order.memberId)}","orderNo":"${formatId("order", order.orderId)}"` +
    `,"payoutRate":${order.payoutRate},"profit":${order.profitIfWon},"stake":${order.stake},"symbol":"${order.symbol}"` +
    `,"v":1,"wallet":"${order.wallet}"}`
  );
}

/**
 * Returns the root of a batch from before sealed orders: SHA256("BATCH1\0" || u64(number) || u64(acceptedAt) || Merkle
 * root of the commitments).
 */
export function formerBatchRoot(
  hashes: Hashes,
  batchNo: bigint,
  acceptedAt: Instant,
  commitmentsRoot: Uint8Array,
): Uint8Array {
  return hashes.sha256(concatBytes(FORMER_BATCH_PREFIX, u64(batchNo), u64(acceptedAt), commitmentsRoot));
}

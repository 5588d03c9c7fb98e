import { concatBytes, copyBytes, u64, utf8, utf8Into } from "../log/bytes.ts";
import type { Hashes } from "../log/hashes.ts";
import { formatId } from "../base/ids.ts";
import type { ProposedOrder } from "./placement.ts";
import type { Instant } from "../base/time.ts";

const ORDER_PREFIX = utf8("ORD1\0");
const BATCH_PREFIX = utf8("BATCH1\0");

/** Length of an order's nonce: random, so that a commitment tells nobody the order. */
export const NONCE_BYTES = 16;
const COMMITMENT_BYTES = 32;

/**
 * The order as it is committed to: canonical JSON, integers in micro-USD, points and millionths, null for none;
 * `profit` is what it wins. Written out by hand, since each acceptance makes one; keys stand sorted.
 */
export function orderJson(order: ProposedOrder): string {
  // Client ids, ids, symbols and the two closed unions hold nothing that JSON escapes. Joined in one call: a template makes
  // a string for each of its parts.
  return '{"clientOrderId":"'.concat(
    order.clientOrderId,
    `","configVersion":${order.configVersion},"direction":"${order.direction}","duration":`,
    String(order.durationSeconds),
    ',"fee":',
    String(order.fee),
    ',"limitPrice":',
    String(order.limitPrice),
    ',"member":"',
    formatId("member", order.memberId),
    '","orderNo":"',
    formatId("order", order.orderId),
    '","payoutRate":',
    String(order.payoutRate),
    ',"profit":',
    String(order.profitIfWon),
    ',"stake":',
    String(order.stake),
    ',"symbol":"',
    order.symbol,
    '","v":1,"wallet":"',
    order.wallet,
    '"}',
  );
}

/** SHA256("ORD1\0" || nonce || order JSON): public in the batch; member and house hold nonce and JSON. */
export function orderCommitment(hashes: Hashes, nonce: Uint8Array, json: string): Uint8Array {
  return hashes.sha256(concatBytes(ORDER_PREFIX, nonce, utf8(json)));
}

/** Room for what one commitment is made of, filled anew for each; nothing here waits, so no two calls meet in it. */
const orderBytes = new Uint8Array(1024);
orderBytes.set(ORDER_PREFIX);
const jsonStart = ORDER_PREFIX.length + NONCE_BYTES;
const jsonBytes = orderBytes.subarray(jsonStart);

/**
 * The commitments of a batch's orders, 32 bytes each side by side, as `orderCommitment` makes them. `nonces` holds
 * NONCE_BYTES for each. Throws a RangeError for an order of more than a thousand bytes.
 */
export function orderCommitments(hashes: Hashes, nonces: Uint8Array, orders: readonly ProposedOrder[]): Uint8Array {
  const commitments = new Uint8Array(orders.length * COMMITMENT_BYTES);
  for (const [place, order] of orders.entries()) {
    copyBytes(nonces, place * NONCE_BYTES, NONCE_BYTES, orderBytes, ORDER_PREFIX.length);
    const length = utf8Into(orderJson(order), jsonBytes);
    if (length === null) throw new RangeError(`order ${order.orderId} is too long to be committed to`);
    hashes.sha256Into(orderBytes.subarray(0, jsonStart + length), commitments, place * COMMITMENT_BYTES);
  }
  return commitments;
}

/** SHA256("BATCH1\0" || u64(number) || u64(acceptedAt) || Merkle root of the commitments). PostgreSQL makes the same. */
export function batchRoot(
  hashes: Hashes,
  batchNo: bigint,
  acceptedAt: Instant,
  commitmentsRoot: Uint8Array,
): Uint8Array {
  return hashes.sha256(concatBytes(BATCH_PREFIX, u64(batchNo), u64(acceptedAt), commitmentsRoot));
}

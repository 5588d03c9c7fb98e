import {
  equalBytes,
  opensSeal,
  orderCommitment,
  termsHash,
  termsJson,
  type Hashes,
  type Points,
} from "@fairtick/domain";
import type { SettledOrder } from "./order-entry.ts";

/**
 * Whether what a settlement opens makes the commitment (32 bytes), and a revealed choice is the one that was sealed. False of an
 * order without opening, from before there were any.
 */
export function opensCommitment(hashes: Hashes, order: SettledOrder, commitment: Uint8Array): boolean {
  const { opening, direction, symbol } = order;
  if (opening === null) return false;
  const limitPrice = order.limitPrice as Points | null;
  const { seal, sealNonce, nonce, own } = opening;
  const json = termsJson({ symbol, durationSeconds: order.duration, direction, limitPrice, seal });
  const made = orderCommitment(hashes, termsHash(hashes, nonce, json), own);
  if (!equalBytes(made, commitment)) return false;
  if (seal === null || sealNonce === null || direction === null) return true;
  return opensSeal(hashes, seal, sealNonce, { direction, limitPrice });
}

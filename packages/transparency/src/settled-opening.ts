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
 * Returns whether a settlement's opening leads to the commitment (32 bytes) and a revealed choice is the one that was
 * sealed. False for an order without an opening (version 1).
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

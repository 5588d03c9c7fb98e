import { equalBytes } from "../log/bytes.ts";
import type { SealedPart } from "./order.ts";
import type { AgreedPayload, OrderPayload } from "./placement.ts";

/**
 * Returns whether a wish asks for the order to which its client id already belongs: every field must be the same. A
 * rate or fee that the wish leaves open matches any. When a sealed wish is sent again, its device has seen newer heads
 * since, so only the seal is compared. `order.direction` is null for a sealed order, revealed or not.
 */
export function isWishFor(wish: OrderPayload, order: AgreedPayload): boolean {
  return (
    wish.wallet === order.wallet &&
    wish.symbol === order.symbol &&
    wish.direction === order.direction &&
    hasSeal(wish.sealed, order.sealed) &&
    wish.stake === order.stake &&
    wish.durationSeconds === order.durationSeconds &&
    wish.limitPrice === order.limitPrice &&
    (wish.payoutRate === null || wish.payoutRate === order.payoutRate) &&
    (wish.fee === null || wish.fee === order.fee)
  );
}

function hasSeal(wish: SealedPart | null, order: SealedPart | null): boolean {
  if (wish === null || order === null) return wish === order;
  return equalBytes(wish.seal, order.seal);
}

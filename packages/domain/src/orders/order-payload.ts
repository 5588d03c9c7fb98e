import { equalBytes } from "../log/bytes.ts";
import type { SealedPart } from "./order.ts";
import type { AgreedPayload, OrderPayload } from "./placement.ts";

/**
 * Whether a wish under a client id is one for the order that the id is bound to: the same in every field. A rate or
 * fee that it leaves open takes what was agreed. A sealed wish is sent again with what its device has seen since, so its
 * seal alone counts; `order.direction` is null for a sealed order, revealed or not.
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

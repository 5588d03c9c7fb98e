import type { AgreedPayload, OrderPayload } from "./placement.ts";

/**
 * Whether a wish under a client id is one for the order that the id is bound to: the same in every field. A rate or
 * fee that it leaves open takes what was agreed.
 */
export function isWishFor(wish: OrderPayload, order: AgreedPayload): boolean {
  return (
    wish.wallet === order.wallet &&
    wish.symbol === order.symbol &&
    wish.direction === order.direction &&
    wish.stake === order.stake &&
    wish.durationSeconds === order.durationSeconds &&
    wish.limitPrice === order.limitPrice &&
    (wish.payoutRate === null || wish.payoutRate === order.payoutRate) &&
    (wish.fee === null || wish.fee === order.fee)
  );
}

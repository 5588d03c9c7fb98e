import type { Order } from "@fairtick/protocol";
import type { KeptChoice } from "./shelf.ts";

type Known = Pick<KeptChoice, "direction" | "limitPrice"> & { readonly isUntilEnd: boolean };

/**
 * Sealed orders whose direction this device knows, by client order id. The server doesn't know it for about a second,
 * or until they end.
 */
const known = new Map<string, Known>();

export function knowChoice({ clientOrderId, direction, limitPrice, untilEnd }: KeptChoice): void {
  known.set(clientOrderId, { direction, limitPrice, isUntilEnd: untilEnd !== undefined });
}

/** Returns whether this device keeps the order sealed until its end. */
export function isSealedUntilEnd({ clientOrderId }: Pick<Order, "clientOrderId">): boolean {
  return known.get(clientOrderId)?.isUntilEnd ?? false;
}

export function forgetKnownChoices(): void {
  known.clear();
}

/**
 * Adds the direction and limit price sealed on this device. Unchanged if the server shows them or this device doesn't
 * know them.
 */
export function withOwnChoice<Shown extends Order>(order: Shown): Shown {
  const choice = order.direction === null ? known.get(order.clientOrderId) : undefined;
  if (choice === undefined) return order;
  const { direction, limitPrice } = choice;
  return { ...order, direction, limitPrice };
}

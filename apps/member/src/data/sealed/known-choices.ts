import type { Order } from "@fairtick/protocol";
import type { KeptChoice } from "./shelf.ts";

type Known = Pick<KeptChoice, "direction" | "limitPrice"> & { readonly isUntilEnd: boolean };

/** Sealed orders whose direction this device knows, by client order id: the server does not, for a second or so, or until their end. */
const known = new Map<string, Known>();

export function knowChoice({ clientOrderId, direction, limitPrice, untilEnd }: KeptChoice): void {
  known.set(clientOrderId, { direction, limitPrice, isUntilEnd: untilEnd !== undefined });
}

/** Whether this device keeps the order sealed until its end. */
export function isSealedUntilEnd({ clientOrderId }: Pick<Order, "clientOrderId">): boolean {
  return known.get(clientOrderId)?.isUntilEnd ?? false;
}

export function forgetKnownChoices(): void {
  known.clear();
}

/** The order with the direction and limit price that this device sealed; as it is where the server shows them, or nobody here knows. */
export function withOwnChoice<Shown extends Order>(order: Shown): Shown {
  const choice = order.direction === null ? known.get(order.clientOrderId) : undefined;
  if (choice === undefined) return order;
  const { direction, limitPrice } = choice;
  return { ...order, direction, limitPrice };
}

import type { Order } from "@fairtick/protocol";
import type { KeptChoice } from "./shelf.ts";

/** Sealed orders whose direction this device knows, by client order id: the server does not, for a second or so. */
const known = new Map<string, Pick<KeptChoice, "direction" | "limitPrice">>();

export function knowChoice({ clientOrderId, direction, limitPrice }: KeptChoice): void {
  known.set(clientOrderId, { direction, limitPrice });
}

export function forgetKnownChoices(): void {
  known.clear();
}

/** The order with the direction and limit price that this device sealed; as it is where the server shows them, or nobody here knows. */
export function withOwnChoice<Shown extends Order>(order: Shown): Shown {
  const choice = order.direction === null ? known.get(order.clientOrderId) : undefined;
  return choice === undefined ? order : { ...order, ...choice };
}

import type { Order, orderDetail } from "@fairtick/protocol";
import { takeOrder } from "../orders.ts";
import { keys, queryClient } from "../queries.ts";
import { ask } from "../transport.ts";
import { opensAfter } from "./opening-time.ts";
import { changeChoice, type KeptChoice } from "./shelf.ts";

/**
 * Until when an order stays sealed, in ms by the server's clock: a signed head beyond it opens the order. Keeps the expiry with the
 * choice once it is known, so that the service worker can go by it, too. Asks for it where the stream has not told it.
 *
 * @param canAsk Whether somebody is logged in who may ask for the order
 * @returns Null while it has no entry, and so no end yet
 */
export async function sealedThrough(
  choice: KeptChoice & { readonly orderNo: string; readonly acceptedAt: number },
  canAsk: boolean,
): Promise<number | null> {
  const { untilEnd, acceptedAt, orderNo, clientOrderId } = choice;
  if (untilEnd === undefined || untilEnd.expiresAt !== null) return opensAfter(acceptedAt, choice);
  const order = await entered(orderNo, canAsk);
  // One that its prices voided has nothing to open any more, and the house says so.
  if (order?.state === "settled") return acceptedAt;
  if (order === null) return opensAfter(acceptedAt, choice);
  if (order.expiresAt === null) return null;
  const known = { ...untilEnd, expiresAt: order.expiresAt };
  await changeChoice(clientOrderId, (kept) => ({ ...kept, untilEnd: known })).catch(() => undefined);
  return opensAfter(acceptedAt, { untilEnd: known });
}

/** The order as it is known once it has its entry, or as the server answers; null where nobody can ask. */
async function entered(orderNo: string, canAsk: boolean): Promise<Order | null> {
  const told = queryClient.getQueryData<Order>(keys.order(orderNo));
  if (told !== undefined && told.expiresAt !== null) return told;
  if (!canAsk) return null;
  const asked = await ask<typeof orderDetail>("order/detail", { orderNo });
  takeOrder(asked);
  return asked;
}

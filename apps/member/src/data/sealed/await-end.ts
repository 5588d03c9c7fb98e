import type { Order, orderDetail } from "@fairtick/protocol";
import { takeOrder } from "../orders.ts";
import { keys, queryClient } from "../queries.ts";
import { ask, CallError } from "../transport.ts";
import { opensAfter } from "./opening-time.ts";
import { changeChoice, type KeptChoice } from "./shelf.ts";

/**
 * Returns until when an order stays sealed, in ms by the server's clock: a signed head after that opens it. Stores the
 * expiry with the choice once it is known, for the service worker as well, and asks the server if the stream hasn't
 * sent it.
 *
 * @param canAsk Whether someone is logged in who may fetch the order
 * @returns Null while the order has no entry, and so no end
 */
export async function sealedThrough(
  choice: KeptChoice & { readonly orderNo: string; readonly acceptedAt: number },
  canAsk: boolean,
): Promise<number | null> {
  const { untilEnd, acceptedAt, orderNo, clientOrderId } = choice;
  if (untilEnd === undefined || untilEnd.expiresAt !== null) return opensAfter(choice);
  const order = await entered(orderNo, canAsk);
  // A voided order has no end. That it is over is only the house's word, so it also waits for the latest possible one.
  if (order === null || order.state === "settled") return opensAfter(choice);
  if (order.expiresAt === null) return null;
  const known = { ...untilEnd, expiresAt: order.expiresAt };
  await changeChoice(clientOrderId, (kept) => ({ ...kept, untilEnd: known })).catch(() => undefined);
  return opensAfter({ acceptedAt, untilEnd: known });
}

/**
 * Returns the order, from the cache if that has its entry, or else from the server; null if nobody is logged in to
 * ask, or the server denies it.
 */
async function entered(orderNo: string, canAsk: boolean): Promise<Order | null> {
  const told = queryClient.getQueryData<Order>(keys.order(orderNo));
  if (told !== undefined && told.expiresAt !== null) return told;
  if (!canAsk) return null;
  try {
    const asked = await ask<typeof orderDetail>("order/detail", { orderNo });
    takeOrder(asked);
    return asked;
  } catch (error) {
    // A house that denies the order can't keep it from being opened after its latest possible end.
    if (error instanceof CallError && error.failure?.error === "NOT_FOUND") return null;
    throw error;
  }
}

import type { Order, orderHistory, orderPlace, orderPositions } from "@fairtick/protocol";
import { text } from "../shared/i18n.ts";
import { takeOrder } from "./orders.ts";
import { isOwn, type PendingOrder } from "./pending-order.ts";
import { noteAcceptance, noteRefusal } from "./sealed/evidence.ts";
import { withOwnChoice } from "./sealed/known-choices.ts";
import { noteAccepted } from "./sealed/open-orders.ts";
import { sealOrder } from "./sealed/place-sealed.ts";
import { ask, CallError } from "./transport.ts";

/**
 * Seals the order on this device and sends it. Sending the same `clientOrderId` again returns the same order, never a
 * second.
 *
 * @param tradePassword Authorizes this browser to sign orders if the member already has another device.
 * @throws CallError; `refused` with any name that `order/place` lists. The id isn't used up then.
 * @throws NoKeysHere · ShelfClosed · NoHead · DeviceNeedsPassword if nothing was sent
 */
export async function placeOrder(pending: PendingOrder, tradePassword?: string): Promise<Order> {
  const fields = await sealOrder(pending, tradePassword);
  const { member, clientOrderId } = pending;
  const answer = await ask<typeof orderPlace>("order/place", fields).catch((error: unknown) => {
    // Checked in the background, like an acceptance, so that the member doesn't wait for it.
    if (error instanceof CallError) void noteRefusal(member, clientOrderId, error).catch(() => undefined);
    throw error;
  });
  if (!isAbout(answer, clientOrderId)) throw new CallError("network", text("common.networkError"));
  const { acceptance, ...answered } = answer;
  const order = withOwnChoice(answered);
  // The order exists even if this browser can't store its number; it can then be found by its client id.
  await noteAccepted(member, order).catch(() => undefined);
  // Checked in the background, so that the member doesn't wait for it; any fault is reported when found.
  void noteAcceptance(member, clientOrderId, answered, acceptance).catch(() => undefined);
  // By now someone else may have logged in on this tab; the order isn't theirs.
  if (!isOwn(pending)) return order;
  takeOrder(order);
  return order;
}

/** Returns whether an answer is about the order that was sent. Any other is as good as none: the order may exist. */
function isAbout(answer: Partial<Order> | null, clientOrderId: string): boolean {
  return answer?.clientOrderId === clientOrderId && typeof answer.orderNo === "string";
}

/** Finds an order by its client id among the running and the recently settled ones; null if there is none. */
export async function findOrder({ clientOrderId, wallet, sentAt }: PendingOrder): Promise<Order | null> {
  const running = await ask<typeof orderPositions>("order/positions", { wallet, limit: 100 });
  // A minute earlier, because the phone's estimate of the server's clock may have been off.
  const settled = await ask<typeof orderHistory>("order/history", { wallet, limit: 100, from: sentAt - 60_000 });
  return [...running.items, ...settled.items].find((order) => order.clientOrderId === clientOrderId) ?? null;
}

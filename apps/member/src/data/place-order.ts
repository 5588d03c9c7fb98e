import type { Order, orderHistory, orderPlace, orderPositions } from "@fairtick/protocol";
import { takeOrder } from "./orders.ts";
import { isOwn, type PendingOrder } from "./pending-order.ts";
import { noteAcceptance, noteRefusal } from "./sealed/evidence.ts";
import { withOwnChoice } from "./sealed/known-choices.ts";
import { noteAccepted } from "./sealed/open-orders.ts";
import { sealOrder } from "./sealed/place-sealed.ts";
import { ask, CallError } from "./transport.ts";

/**
 * Seals the order on this device and sends it. The same `clientOrderId` again answers the same order, never a second.
 *
 * @param tradePassword Lets this browser sign orders, where the member has another device already.
 * @throws CallError; `refused` with every name that `order/place` has, and no id is bound then
 * @throws NoKeysHere · ShelfClosed · NoHead · DeviceNeedsPassword where nothing was sent
 */
export async function placeOrder(pending: PendingOrder, tradePassword?: string): Promise<Order> {
  const fields = await sealOrder(pending, tradePassword);
  const { member, clientOrderId } = pending;
  const { acceptance, ...answered } = await ask<typeof orderPlace>("order/place", fields).catch((error: unknown) => {
    const failure = error instanceof CallError ? error.failure : null;
    // Checked beside what the member waits for, as an acceptance is.
    if (failure !== null) void noteRefusal(member, clientOrderId, failure).catch(() => undefined);
    throw error;
  });
  const order = withOwnChoice(answered);
  // The order is there, whatever this browser can still keep: without its number it is looked for by its client id.
  await noteAccepted(member, order).catch(() => undefined);
  // Beside what the member waits for: what is wrong with it is told when it is found.
  void noteAcceptance(member, clientOrderId, answered, acceptance).catch(() => undefined);
  // Late, when somebody else has logged in on this tab: it is nothing of theirs.
  if (!isOwn(pending)) return order;
  takeOrder(order);
  return order;
}

/** Looks for an order by the id that this phone made, among those running and those settled of late. */
export async function findOrder({ clientOrderId, wallet, sentAt }: PendingOrder): Promise<Order | null> {
  const running = await ask<typeof orderPositions>("order/positions", { wallet, limit: 100 });
  // A minute earlier: the phone's idea of the server's clock may have been off.
  const settled = await ask<typeof orderHistory>("order/history", { wallet, limit: 100, from: sentAt - 60_000 });
  return [...running.items, ...settled.items].find((order) => order.clientOrderId === clientOrderId) ?? null;
}

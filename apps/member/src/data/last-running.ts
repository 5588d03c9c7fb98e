import type { Order, orderHistory } from "@fairtick/protocol";
import { readStoredJson, store } from "../shared/storage.ts";
import type { Wallet } from "./account.ts";
import { tellMissed } from "./endings.ts";
import { takeOrder } from "./orders.ts";
import { ask } from "./transport.ts";

/** The orders that were running when the app was last open, so that its next opening can announce how they ended. */
interface LastRunning {
  readonly member: string;
  readonly orders: readonly (readonly [orderNo: string, wallet: Wallet])[];
}

/** One page of the history, which is more orders than anyone waits for at once. */
const HISTORY_MAX = 100;

/** Stores the running orders, replacing the ones stored before. */
export function keepRunning(member: string, running: readonly Pick<Order, "orderNo" | "wallet">[]): void {
  const last: LastRunning = { member, orders: running.map(({ orderNo, wallet }) => [orderNo, wallet]) };
  store("fairtickRunning", JSON.stringify(last));
}

/**
 * Returns the orders that ran at the last opening and have ended since. Each is returned once, because `running`
 * replaces them.
 */
export function takeMissed(
  member: string,
  running: readonly Pick<Order, "orderNo" | "wallet">[],
): LastRunning["orders"] {
  const last = readLast();
  keepRunning(member, running);
  if (last === null || last.member !== member) return [];
  return last.orders.filter(([orderNo]) => !running.some((other) => other.orderNo === orderNo));
}

/**
 * Announces how these orders ended, without sound because nobody was watching. Orders not in the history are skipped.
 */
export async function tellHowTheyEnded(missed: LastRunning["orders"]): Promise<void> {
  for (const wallet of new Set(missed.map(([, each]) => each))) {
    const { items } = await ask<typeof orderHistory>("order/history", { wallet, limit: HISTORY_MAX });
    const ended = items.filter(({ orderNo }) => missed.some(([each]) => each === orderNo));
    for (const order of ended.toReversed()) {
      takeOrder(order);
      tellMissed(order);
    }
  }
}

function readLast(): LastRunning | null {
  const last = readStoredJson("fairtickRunning") as Partial<LastRunning> | null;
  return typeof last?.member === "string" && Array.isArray(last.orders) ? (last as LastRunning) : null;
}

import type { Order } from "@fairtick/protocol";
import { showNews } from "@fairtick/ui";
import { QueryObserver } from "@tanstack/react-query";
import { useEffect } from "react";
import { text } from "../shared/i18n.ts";
import { verificationOf } from "./proof/verification.ts";
import type { Verdict } from "./proof/verify-order.ts";
import { queryClient } from "./queries.ts";

/**
 * How long an order is followed after its result. Later nobody is waiting, and the order's own screen shows the same.
 */
const FOLLOWED_MS = 5 * 60_000;
const TOAST_MS = 3_000;

/**
 * Returns whether everything but the simulated market's seed, which is revealed up to ten minutes later, is verified.
 */
export function isInLog({ state, checks }: Verdict): boolean {
  if (state === "ok") return true;
  return state === "pending" && checks.every((check) => check.state !== "pending" || check.id === "replay");
}

const followed = new Map<string, () => void>();
/** How many orders are followed at once. Somebody with more of them would be told every few seconds. */
const FOLLOWED_MAX = 3;

/**
 * Keeps verifying an order whose result the member left before it was in the public log, and shows one quiet toast
 * when it is. Failures are reported by the evidence checks, not here.
 */
function followIntoLog(order: Order, decimals: number, name: string): void {
  if (followed.has(order.orderNo) || followed.size >= FOLLOWED_MAX) return;
  const observer = new QueryObserver(queryClient, verificationOf(order, decimals));
  const stop = observer.subscribe(({ data }) => {
    if (data === undefined) return;
    if (!isInLog(data.verdict)) return;
    leaveOff(order.orderNo);
    showNews(text("result.inLogToast", { name }), TOAST_MS);
  });
  const timer = setTimeout(() => leaveOff(order.orderNo), FOLLOWED_MS);
  followed.set(order.orderNo, () => {
    clearTimeout(timer);
    stop();
  });
}

/** Stops following an order: its own screen shows the state again, or the member was told. */
function leaveOff(orderNo: string): void {
  followed.get(orderNo)?.();
  followed.delete(orderNo);
}

/**
 * Follows an order into the public log once its result is no longer on the screen. `waits`: this device has verified
 * it, and the log doesn't have it yet.
 */
export function useFollowing(order: Order, decimals: number, name: string, waits: boolean): void {
  useEffect(() => {
    leaveOff(order.orderNo);
    return waits ? () => followIntoLog(order, decimals, name) : undefined;
  }, [order, decimals, name, waits]);
}

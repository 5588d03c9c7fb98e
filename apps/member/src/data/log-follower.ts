import type { Order } from "@fairtick/protocol";
import { showNews } from "@fairtick/ui";
import { QueryObserver } from "@tanstack/react-query";
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

/**
 * Keeps verifying an order whose result the member left before it was in the public log, and shows one quiet toast
 * when it is. Failures are reported by the evidence checks, not here.
 */
export function followIntoLog(order: Order, decimals: number, name: string): void {
  if (followed.has(order.orderNo)) return;
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
export function leaveOff(orderNo: string): void {
  followed.get(orderNo)?.();
  followed.delete(orderNo);
}

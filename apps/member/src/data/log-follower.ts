import type { Order } from "@fairtick/protocol";
import { showToast } from "@fairtick/ui";
import { QueryObserver } from "@tanstack/react-query";
import { text } from "../shared/i18n.ts";
import { verificationOf } from "./proof/verification.ts";
import type { Verdict } from "./proof/verify-order.ts";
import { queryClient } from "./queries.ts";

/** Longer after its result nobody is waiting for it any more: the order's own screen says the same. */
const FOLLOWED_MS = 5 * 60_000;
const TOAST_MS = 3_000;

/** Only the simulated market's seed may be out, up to ten minutes; everything else stands in the log and holds. */
export function isInLog({ state, checks }: Verdict): boolean {
  if (state === "ok") return true;
  return state === "pending" && checks.every((check) => check.state !== "pending" || check.id === "replay");
}

const followed = new Map<string, () => void>();

/**
 * Goes on verifying an order whose result was left before the public log had it, and says so once, quietly. What fails is raised by
 * the checks of the evidence, never here.
 */
export function followIntoLog(order: Order, decimals: number, name: string): void {
  if (followed.has(order.orderNo)) return;
  const observer = new QueryObserver(queryClient, verificationOf(order, decimals));
  const stop = observer.subscribe(({ data }) => {
    if (data === undefined) return;
    if (!isInLog(data.verdict)) return;
    leaveOff(order.orderNo);
    showToast(text("result.inLogToast", { name }), TOAST_MS);
  });
  const timer = setTimeout(() => leaveOff(order.orderNo), FOLLOWED_MS);
  followed.set(order.orderNo, () => {
    clearTimeout(timer);
    stop();
  });
}

/** Its own screen shows it again, or it was told. */
export function leaveOff(orderNo: string): void {
  followed.get(orderNo)?.();
  followed.delete(orderNo);
}

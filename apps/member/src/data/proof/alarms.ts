import type { OrderDevice } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { storedMemberId } from "../member-id.ts";
import { changeEvidence, type KeptEvidence } from "../sealed/evidence-shelf.ts";

/** Alarms: faults that this device found on its own and tells the member about once. */

/** What is wrong with an order, named after its message (`evidence.fault.…`). */
export type OrderFault =
  | "unproven"
  | "unsigned"
  | "other"
  | "both"
  | "late"
  | "head"
  | "bound"
  | "gone"
  | "failed"
  | "acknowledgement"
  | "unrevealed"
  | "unsettled"
  | "refusalMissing"
  | "refusalReason"
  | "noDevice"
  | "open";

export type Alarm =
  | {
      readonly kind: "order";
      readonly key: string;
      readonly fault: OrderFault;
      /** Null for an order that was refused. */
      readonly orderNo: string | null;
      /** ms, by the server's clock. */
      readonly at: number;
      /** The stored evidence, for the member to save; null if the device holds only the receipt. */
      readonly evidence: KeptEvidence | null;
    }
  | { readonly kind: "device"; readonly key: string; readonly device: OrderDevice };

const SENTENCE: Readonly<Record<string, OrderFault>> = {
  missing: "unproven",
  malformed: "unproven",
  "unknown-key": "unsigned",
  signature: "unsigned",
  path: "other",
  "other-list": "other",
  "other-reason": "other",
  both: "both",
  late: "late",
  head: "head",
  bound: "bound",
  gone: "gone",
  acknowledgement: "acknowledgement",
  unrevealed: "unrevealed",
  refusalMissing: "refusalMissing",
  refusalReason: "refusalReason",
};

/** Returns the fault that the evidence shows; null if none has been found so far. */
export function faultOf({ answered, opened = null, logged }: KeptEvidence): OrderFault | null {
  const found = [answered, opened, logged].find((each) => each !== null && each !== "ok");
  return found === null || found === undefined ? null : (SENTENCE[found] ?? "failed");
}

let alarms: readonly Alarm[] = [];
/** Keys of the alarms dismissed since this page was loaded. */
const seen = new Set<string>();
const watchers = new Set<() => void>();

function change(next: readonly Alarm[]): void {
  alarms = next;
  for (const watcher of watchers) watcher();
}

export function raise(alarm: Alarm): void {
  if (!seen.has(alarm.key) && !alarms.some(({ key }) => key === alarm.key)) change([...alarms, alarm]);
}

/** Raises an alarm for a fault in the evidence, unless the member was told already or someone else is logged in. */
export function raiseEvidence(evidence: KeptEvidence): void {
  const fault = faultOf(evidence);
  const { member, clientOrderId, answer, sentAt, told } = evidence;
  if (fault === null || told || member !== storedMemberId()) return;
  const orderNo = answer?.kind === "accepted" ? answer.orderNo : null;
  raise({ kind: "order", key: clientOrderId, fault, orderNo, at: sentAt, evidence });
}

/**
 * Raises an alarm for an order that should have been settled long ago. It isn't stored as a finding, because the order
 * can still be settled, and must then be checked against the log.
 */
export function raiseUnsettled(evidence: KeptEvidence, orderNo: string): void {
  const { clientOrderId, sentAt } = evidence;
  raise({ kind: "order", key: `${clientOrderId} unsettled`, fault: "unsettled", orderNo, at: sentAt, evidence });
}

/** Dismisses an alarm for good. The finding stays with the order. */
export function settleAlarm(alarm: Alarm): void {
  seen.add(alarm.key);
  change(alarms.filter(({ key }) => key !== alarm.key));
  if (alarm.kind !== "order" || alarm.evidence === null || alarm.fault === "unsettled") return;
  const { member, clientOrderId } = alarm.evidence;
  void changeEvidence(member, clientOrderId, (kept) => kept && { ...kept, told: true }).catch(() => undefined);
}

/** Clears the alarms at a change of member. */
export function dropAlarms(): void {
  seen.clear();
  change([]);
}

export function useAlarms(): readonly Alarm[] {
  return useSyncExternalStore(watchAlarms, currentAlarms);
}

export function currentAlarms(): readonly Alarm[] {
  return alarms;
}

function watchAlarms(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

import type { OrderDevice } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { storedMemberId } from "../member-id.ts";
import { changeEvidence, type KeptEvidence } from "../sealed/evidence-shelf.ts";

/** What this device found out on its own and the member has to hear of once. */

/** What is wrong with an order, by the sentence that says so (`evidence.fault.…`). */
export type OrderFault =
  | "unproven"
  | "unsigned"
  | "other"
  | "late"
  | "head"
  | "gone"
  | "failed"
  | "acknowledgement"
  | "unrevealed"
  | "refusalMissing"
  | "noDevice"
  | "open";

export type Alarm =
  | {
      readonly kind: "order";
      readonly key: string;
      readonly fault: OrderFault;
      /** Null of one that was refused. */
      readonly orderNo: string | null;
      /** ms, by the server's clock. */
      readonly at: number;
      /** What the device holds, for the member to save; null where it holds nothing but the receipt. */
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
  late: "late",
  head: "head",
  gone: "gone",
  acknowledgement: "acknowledgement",
  unrevealed: "unrevealed",
  refusalMissing: "refusalMissing",
};

/** What is wrong by the evidence; null where nothing is, as far as it was checked. */
export function faultOf({ answered, opened = null, logged }: KeptEvidence): OrderFault | null {
  const found = [answered, opened, logged].find((each) => each !== null && each !== "ok");
  return found === null || found === undefined ? null : (SENTENCE[found] ?? "failed");
}

let alarms: readonly Alarm[] = [];
const watchers = new Set<() => void>();

function change(next: readonly Alarm[]): void {
  alarms = next;
  for (const watcher of watchers) watcher();
}

export function raise(alarm: Alarm): void {
  if (!alarms.some(({ key }) => key === alarm.key)) change([...alarms, alarm]);
}

/** Raises what is wrong with an order by its evidence, unless the member was told already or another one is logged in. */
export function raiseEvidence(evidence: KeptEvidence): void {
  const fault = faultOf(evidence);
  const { member, clientOrderId, answer, sentAt, told } = evidence;
  if (fault === null || told || member !== storedMemberId()) return;
  const orderNo = answer?.kind === "accepted" ? answer.orderNo : null;
  raise({ kind: "order", key: clientOrderId, fault, orderNo, at: sentAt, evidence });
}

/** The member has seen it: it is not told again. What was found stays with the order. */
export function settleAlarm(alarm: Alarm): void {
  change(alarms.filter(({ key }) => key !== alarm.key));
  if (alarm.kind !== "order" || alarm.evidence === null) return;
  const { member, clientOrderId } = alarm.evidence;
  void changeEvidence(member, clientOrderId, (kept) => kept && { ...kept, told: true }).catch(() => undefined);
}

/** Another member's alarms are none of the next one's. */
export function dropAlarms(): void {
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

import { dueAfterPauses, type Instant, type Pause, SETTLE_WITHIN_MS, settlementDueAt } from "@fairtick/domain";
import { type Incident } from "../../platform/incident-entry.ts";
import type { SettledRow } from "./count-batch.ts";

/** How many announced pauses this process remembers: more than it needs to catch up after one. */
const PAUSES_MAX = 100;
const REASON = "settlement stood still or had no sealed prices; what was due by then is settled now";

/** The settlement pauses that this process has announced in the public log. Other processes keep their own book. */
export interface PauseBook {
  list(): readonly Pause[];
  /** Adds a pause once its transaction is committed. */
  add(pause: Pause): void;
}

export function createPauseBook(): PauseBook {
  let pauses: readonly Pause[] = [];
  return {
    list: () => pauses,
    add(pause) {
      pauses = [...pauses, pause].slice(-PAUSES_MAX);
    },
  };
}

/**
 * Finds the incident that the log must record before these settlements: orders settled more than ten seconds after they
 * were due, unless an incident that was already announced covers them. Null when no order is that late.
 */
export function findLate(
  settledAt: Instant,
  rows: readonly Pick<SettledRow, "order" | "settlement" | "reveal">[],
  pauses: readonly Pause[],
): Incident | null {
  let [orders, from] = [0, settledAt as bigint];
  for (const { order, settlement, reveal } of rows) {
    const dueAt = settlementDueAt(order, settlement, reveal?.at ?? null);
    if (settledAt <= dueAt + SETTLE_WITHIN_MS) continue;
    const goesOn = dueAfterPauses(dueAt, pauses, SETTLE_WITHIN_MS);
    if (settledAt <= goesOn + SETTLE_WITHIN_MS) continue;
    orders += 1;
    if (goesOn < from) from = goesOn;
  }
  return orders === 0 ? null : { at: settledAt, from, to: settledAt, part: "settlement", reason: REASON, orders };
}

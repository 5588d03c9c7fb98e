import { dueAfterPauses, type Instant, type Pause, SETTLE_WITHIN_MS, settlementDueAt } from "@fairtick/domain";
import { type Incident } from "../../platform/incident-entry.ts";
import type { SettledRow } from "./count-batch.ts";

/** Pauses that this process told of are remembered, as many as a catching up can need. */
const PAUSES_MAX = 100;
const REASON = "settlement stood still or had no sealed prices; what was due by then is settled now";

/** What this process has told the public log of settlement's pauses. Others tell of theirs. */
export interface PauseBook {
  list(): readonly Pause[];
  /** Once it is committed. */
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
 * The incident that the log needs before these settlements: of orders that are settled more than ten seconds after they were due, by
 * nothing that it tells of already. Null where there are none.
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

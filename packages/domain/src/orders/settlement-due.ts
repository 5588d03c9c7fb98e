import type { AgreedOrder, Settlement } from "./order.ts";
import { ENTRY_WINDOW_MS, expiryOf, REVEAL_WITHIN_MS } from "./settle.ts";

/** An order is settled at most this long after it was due, except during an incident that the public log reports. */
export const SETTLE_WITHIN_MS = 10_000n;

/** A time in which the house stood still, as an incident in the public log reports it; milliseconds since 1970. */
export interface Pause {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Answers when an order could be settled: at its expiry, or earlier at what voided it; at its reveal, if that came later;
 * at the end of the time for it, if it was never revealed.
 */
export function settlementDueAt(
  order: Pick<AgreedOrder, "acceptedAt" | "durationSeconds">,
  { entry, outcome, voidReason }: Pick<Settlement, "entry" | "outcome" | "voidReason">,
  revealedAt: bigint | null,
): bigint {
  if (entry === null) return order.acceptedAt + ENTRY_WINDOW_MS;
  const decidedAt = voidReason === "LIMIT_PASSED" ? entry.time : expiryOf(entry, order.durationSeconds);
  if (outcome === "unrevealed") return decidedAt + REVEAL_WITHIN_MS;
  return revealedAt !== null && revealedAt > decidedAt ? revealedAt : decidedAt;
}

/**
 * Answers the moment from which `graceMs` count. What is due while the house stands still, or less than `graceMs` before, is
 * due anew when it goes on.
 */
export function dueAfterPauses(dueAt: bigint, pauses: readonly Pause[], graceMs: bigint): bigint {
  let moment = dueAt;
  for (const { from, to } of pauses.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    if (from <= moment + graceMs && to > moment) moment = to;
  }
  return moment;
}

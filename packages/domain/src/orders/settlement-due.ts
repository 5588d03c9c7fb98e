import type { AgreedOrder, Settlement } from "./order.ts";
import { ENTRY_WINDOW_MS, expiryOf, REVEAL_WITHIN_MS } from "./settle.ts";

/** An order is settled within this time after it was due, except during an incident reported in the public log. */
export const SETTLE_WITHIN_MS = 10_000n;

/** A time in which the house stood still, as reported by an incident in the public log; in milliseconds since 1970. */
export interface Pause {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Returns when an order could be settled: at its expiry, or earlier if a tick or a missing entry voided it; at its
 * reveal, if that came later; or at the end of the time to reveal it, if it never was.
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
 * Returns the moment from which `graceMs` count. If the house stood still at the due time or within `graceMs` after it,
 * the order is due again when the house resumes.
 */
export function dueAfterPauses(dueAt: bigint, pauses: readonly Pause[], graceMs: bigint): bigint {
  let moment = dueAt;
  for (const { from, to } of pauses.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    if (from <= moment + graceMs && to > moment) moment = to;
  }
  return moment;
}

import type { AgreedOrder, Settlement } from "./order.ts";
import { ENTRY_WINDOW_MS, expiryOf, REVEAL_WITHIN_MS } from "./settle.ts";

/** An order is settled so long after it was due at the latest, but for what an incident in the public log tells of. */
export const SETTLE_WITHIN_MS = 10_000n;

/** A stretch in which the house stood still, as an incident in the public log tells of it; milliseconds since 1970. */
export interface Pause {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * When the order could be settled: at its expiry, or where it was voided before that at what voided it; after a reveal, if that came
 * later; of one that was not revealed at the end of the time for it.
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

/** The moment from which `graceMs` run: what is due while the house stands still, or so shortly before, is due again once it goes on. */
export function dueAfterPauses(dueAt: bigint, pauses: readonly Pause[], graceMs: bigint): bigint {
  let moment = dueAt;
  for (const { from, to } of pauses.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    if (from <= moment + graceMs && to > moment) moment = to;
  }
  return moment;
}

import type { LogEntry } from "./log-entry.ts";

/**
 * Answers the moment of a price, an acceptance or a settlement, ms: other entries must be in the log in time by it (`latest`
 * in docs/verification.md). Null for every other entry.
 */
export function timingMoment(entry: LogEntry): bigint | null {
  if (entry.kind === "ticks") return entry.time + 59_999n;
  if (entry.kind === "orders.accept") return entry.acceptedAt;
  return entry.kind === "orders.settle" ? entry.settledAt : null;
}

/** Answers the moment that an entry tells of, ms (`newest` in docs/verification.md); 0 for one that tells of none. */
export function momentOf(entry: LogEntry): bigint {
  return timingMoment(entry) ?? ("at" in entry ? entry.at : 0n);
}

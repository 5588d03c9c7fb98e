import type { LogEntry } from "./log-entry.ts";

/**
 * Returns the moment of a price, an acceptance or a settlement, ms. Whether other entries were logged in time is
 * measured by these moments (`latest` in docs/verification.md). Null for every other entry.
 */
export function timingMoment(entry: LogEntry): bigint | null {
  if (entry.kind === "ticks") return entry.time + 59_999n;
  if (entry.kind === "orders.accept") return entry.acceptedAt;
  return entry.kind === "orders.settle" ? entry.settledAt : null;
}

/** Returns an entry's moment, ms (`newest` in docs/verification.md); 0 for an entry without one. */
export function momentOf(entry: LogEntry): bigint {
  return timingMoment(entry) ?? ("at" in entry ? entry.at : 0n);
}

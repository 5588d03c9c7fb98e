import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

export interface CardLedger {
  add(index: number, entry: LogEntryOf<"card">): void;
}

/** Checks that the versions of each receiving card start at one and rise by one. */
export function createCardLedger(report: Report): CardLedger {
  const versions = new Map<bigint, number>();
  return {
    add(index, { card, version }) {
      const before = versions.get(card) ?? 0;
      if (version !== before + 1) faultAt(report, "cards", index, `card ${card}: version ${version} follows ${before}`);
      versions.set(card, version);
    },
  };
}

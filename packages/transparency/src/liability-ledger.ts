import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

const DAY_MS = 86_400_000n;

/** Checks that the house publishes what it owes once a day for each wallet, so that all members see the same sum. */
export interface LiabilityLedger {
  add(index: number, entry: LogEntryOf<"liabilities">): void;
}

export function createLiabilityLedger(report: Report): LiabilityLedger {
  const published = new Map<string, number>();
  return {
    add(index, { at, day, wallet }) {
      const name = `${wallet}/${day}`;
      const first = published.get(name);
      if (first === undefined) published.set(name, index);
      else faultAt(report, "liabilities", index, `day ${day} of ${wallet} is published twice, first at entry ${first}`);
      if (at / DAY_MS !== BigInt(day))
        faultAt(report, "liabilities", index, `day ${day} was read on another day, at ${at}`);
    },
  };
}

import { toHex } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

/**
 * How late an approval may enter the log, ms: no entry before it may have a moment more than this after the approval.
 */
const LATE_APPROVAL_MS = 30_000n;

export interface ApprovalLedger {
  /** `latest`: the newest moment of any earlier entry, ms. */
  add(index: number, entry: LogEntryOf<"approval">, latest: bigint): void;
}

/** Checks that each operator's approval was logged soon after it was given, and that no hash occurs twice. */
export function createApprovalLedger(report: Report): ApprovalLedger {
  const known = new Set<string>();
  return {
    add(index, { at, hash, subject }, latest) {
      if (known.has(toHex(hash))) faultAt(report, "approvals", index, `an approval of ${subject} stands twice`);
      known.add(toHex(hash));
      if (latest > at + LATE_APPROVAL_MS) {
        faultAt(report, "approvals", index, `an approval of ${subject} was written ${latest - at} ms late`);
      }
    },
  };
}

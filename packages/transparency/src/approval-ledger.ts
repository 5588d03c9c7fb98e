import { toHex } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

/** An approval has to be in the log before any entry whose moment is later than this after it. */
const LATE_APPROVAL_MS = 30_000n;

export interface ApprovalLedger {
  /** `latest`: the newest moment that an earlier entry tells of. */
  add(index: number, entry: LogEntryOf<"approval">, latest: bigint): void;
}

/** Checks operators' approvals: each is written when it was given, and no hash comes twice. */
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

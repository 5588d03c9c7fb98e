import { toHex } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";

/** How late a release may enter the log, ms: no entry before it may have a moment more than this after its start. */
const LATE_RELEASE_MS = 30_000n;

export interface ReleaseLedger {
  /** `latest`: the newest moment of any earlier entry, ms. */
  add(index: number, entry: LogEntryOf<"release">, latest: bigint): void;
}

/** Checks that each release was logged when it started, and notes each one in the report. */
export function createReleaseLedger(report: Report): ReleaseLedger {
  return {
    add(index, { at, app, files, verifier }, latest) {
      const since = new Date(Number(at)).toISOString();
      const packed = verifier === null ? "no verifier" : `the verifier ${toHex(verifier)}`;
      noteAt(
        report,
        "releases",
        index,
        `since ${since} it serves the app ${toHex(app)} (${files} files) and ${packed}`,
      );
      if (latest > at + LATE_RELEASE_MS) {
        faultAt(report, "releases", index, `the release of ${since} was written ${latest - at} ms late`);
      }
    },
  };
}

import { toHex } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";

/** A release has to be in the log before any entry whose moment is later than this after its start. */
const LATE_RELEASE_MS = 30_000n;

export interface ReleaseLedger {
  /** `latest`: the newest moment that an earlier entry tells of. */
  add(index: number, entry: LogEntryOf<"release">, latest: bigint): void;
}

/** Checks releases: the report names each one, and each was written when it started. */
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

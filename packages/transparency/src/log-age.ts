import { noteAt, faultAt, type Report } from "./log-finding.ts";
import type { NoteSigner } from "./note.ts";

/**
 * Age of the newest cosignature above which a log counts as standing still, by the reader's clock. A running log is
 * cosigned every second; the rest allows for a reader's clock that is ahead of the witnesses' clocks.
 */
export const STANDSTILL_MS = 60_000n;

/** Returns when enough witnesses had cosigned, in ms since 1970 UTC; null if too few did or none is pinned. */
export function cosignedAt(witnesses: readonly NoteSigner[], needed: number): bigint | null {
  const times = witnesses.flatMap(({ time }) => time ?? []).toSorted((left, right) => Number(right - left));
  const time = times[Math.max(needed, 1) - 1];
  return time === undefined ? null : time * 1000n;
}

/** Reports a log that has stood still. `at`: its cosignatures' time, `now`: the reader's clock, both in ms since 1970. */
export function judgeAge(report: Report, at: bigint | null, now: bigint): void {
  if (at === null) {
    noteAt(report, "checkpoint", null, "no witness is pinned that says when: how old the log is cannot be seen");
  } else if (now - at > STANDSTILL_MS) {
    faultAt(report, "checkpoint", null, `the log has stood still since ${new Date(Number(at)).toISOString()}`);
  } else if (at - now > STANDSTILL_MS) {
    const time = new Date(Number(at)).toISOString();
    noteAt(report, "checkpoint", null, `it was cosigned at ${time}, later than this machine's clock: set that right`);
  }
}

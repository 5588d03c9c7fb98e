/** The checks of a log's verification, in order of the report. */
export const LOG_CHECKS = [
  "checkpoint",
  "tree",
  "entry",
  "prices",
  "sources",
  "quotes",
  "epochs",
  "acceptances",
  "settlements",
  "heads",
  "configurations",
  "cards",
  "approvals",
  "liabilities",
  "releases",
  "incidents",
] as const;
export type LogCheckId = (typeof LOG_CHECKS)[number];

/** A finding for the report, in English: a violated rule (`fault`), or something else worth knowing (`note`). */
export interface LogFinding {
  readonly check: LogCheckId;
  readonly grade: "fault" | "note";
  /** Index of the entry where it was found; null for the log as a whole. */
  readonly index: number | null;
  readonly what: string;
}

export type Report = (finding: LogFinding) => void;

/** Reports a fault of one check at one entry. */
export function faultAt(report: Report, check: LogCheckId, index: number | null, what: string): void {
  report({ check, grade: "fault", index, what });
}

/** Reports a note of one check at one entry. */
export function noteAt(report: Report, check: LogCheckId, index: number | null, what: string): void {
  report({ check, grade: "note", index, what });
}

/** What a log is examined for. */
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

/** Something that does not hold (`fault`), or holds with less than the usual notice (`note`). English, for a report. */
export interface LogFinding {
  readonly check: LogCheckId;
  readonly grade: "fault" | "note";
  /** The entry it was seen at; null for the log as a whole. */
  readonly index: number | null;
  readonly what: string;
}

export type Report = (finding: LogFinding) => void;

/** Findings of one check at one entry. */
export function faultAt(report: Report, check: LogCheckId, index: number | null, what: string): void {
  report({ check, grade: "fault", index, what });
}

export function noteAt(report: Report, check: LogCheckId, index: number | null, what: string): void {
  report({ check, grade: "note", index, what });
}

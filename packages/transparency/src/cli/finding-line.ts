import type { LogFinding } from "../log-finding.ts";

/** Formats a finding as a line of a report. */
export function findingLine({ grade, check, index, what }: LogFinding): string {
  return `${grade.padEnd(8)}${check}${index === null ? "" : ` at entry ${index}`}: ${what}`;
}

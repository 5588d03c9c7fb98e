import { formatCount, formatDuration } from "../../shared/format.ts";

/** Formats a length of time, below ten seconds in milliseconds. */
export function spanOf(ms: number): string {
  return ms < 10_000 ? `${formatCount(ms)} ms` : formatDuration(Math.round(ms / 1000));
}

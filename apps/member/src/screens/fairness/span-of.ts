import { formatCount, formatDuration } from "../../shared/format.ts";

/** A stretch of time in words: milliseconds below ten seconds. */
export function spanOf(ms: number): string {
  return ms < 10_000 ? `${formatCount(ms)} ms` : formatDuration(Math.round(ms / 1000));
}

import type { BoardReveal } from "./board.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LogFinding } from "./log-finding.ts";
import type { LogStatistics } from "./log-statistics.ts";
import type { RefusedOpening } from "./refused-openings.ts";

/** What the examination of a log found. */
export interface LogReport {
  /** The signed note that was examined; null where none was to be had. Worth keeping as `since` of the next time. */
  readonly note: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly witnesses: readonly string[];
  /** When enough witnesses had cosigned, in milliseconds, by their own clocks. */
  readonly cosignedAt: bigint | null;
  readonly findings: readonly LogFinding[];
  readonly entries: number;
  readonly prices: number;
  /** Ticks whose signed quote was examined. */
  readonly quotes: number;
  readonly epochs: number;
  /** Slot heads that were calculated again. */
  readonly heads: number;
  readonly accepted: number;
  /** Signed refusals. */
  readonly refused: number;
  /** Settlements that were decided again from the prices. */
  readonly settled: number;
  /** Settlements whose prices are not in the log yet. */
  readonly waiting: number;
  readonly statistics: LogStatistics;
}

/** What a reader brings along to examine a log with. */
export interface BesideLog {
  /** Refusals that their members opened, to be counted. */
  readonly opened?: readonly RefusedOpening[];
  /** The reveals on witnesses' boards, read with the pinned keys. No order that was there in time may count as unrevealed. */
  readonly reveals?: readonly BoardReveal[];
}

import type { BoardReveal } from "./board.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LogFinding } from "./log-finding.ts";
import type { LogStatistics } from "./log-statistics.ts";
import type { RefusedOpening } from "./refused-openings.ts";

/** The result of verifying a log. */
export interface LogReport {
  /** The signed note that was examined; null if the log had none. Callers can keep it for the next run's `since`. */
  readonly note: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly witnesses: readonly string[];
  /** When enough witnesses had cosigned, ms since 1970 UTC by their own clocks. */
  readonly cosignedAt: bigint | null;
  readonly findings: readonly LogFinding[];
  readonly entries: number;
  readonly prices: number;
  /** Number of ticks whose signed quote was examined. */
  readonly quotes: number;
  readonly epochs: number;
  /** Number of slot heads that were recalculated. */
  readonly heads: number;
  readonly accepted: number;
  /** Number of signed refusals. */
  readonly refused: number;
  /** Number of settlements that were decided again from the prices. */
  readonly settled: number;
  /** Number of settlements whose prices are not in the log yet. */
  readonly waiting: number;
  readonly statistics: LogStatistics;
}

/** Evidence from outside the log that a reader can add to its verification. */
export interface BesideLog {
  /** Refusals that members opened, to be counted in the statistics. */
  readonly opened?: readonly RefusedOpening[];
  /** Reveals from witnesses' boards, read with the pinned keys. No order posted there in time may count as unrevealed. */
  readonly reveals?: readonly BoardReveal[];
}

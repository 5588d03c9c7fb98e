import type { Clock, Instant } from "@fairtick/domain";

/** A clock that only moves when a test moves it. */
export interface FakeClock extends Clock {
  /** Advances wall time and elapsed time. */
  advance(milliseconds: number | bigint): void;
  /** Sets wall time, which can go back as on a real machine. Elapsed time never goes back. */
  set(now: bigint): void;
}

/** Creates a clock that starts on Thursday, 1 January 2026, 12:00 UTC, by default. */
export function createFakeClock(start: bigint = 1_767_268_800_000n): FakeClock {
  let now = start;
  let elapsed = 0;
  return {
    now: () => now as Instant,
    elapsedMs: () => elapsed,
    advance(milliseconds) {
      now += BigInt(milliseconds);
      elapsed += Number(milliseconds);
    },
    set(instant) {
      now = instant;
    },
  };
}

import type { Clock, Instant } from "@fairtick/domain";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves wall and elapsed time on. */
  advance(milliseconds: number | bigint): void;
  /** Sets wall time, also back, as a machine's clock may be set; elapsed time never goes back. */
  set(now: bigint): void;
}

/** Thursday, 1 January 2026, 12:00 UTC, unless told otherwise. */
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

import type { Clock, Instant } from "@fairtick/domain";

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => BigInt(Date.now()) as Instant,
  elapsedMs: () => performance.now(),
};

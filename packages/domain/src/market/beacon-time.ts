import type { Instant } from "../base/time.ts";

/** When a randomness beacon's rounds are due: drand's `genesis_time` and `period`, in whole seconds. */
export interface BeaconTimes {
  /** When round 1 is due, in seconds since 1970 UTC. */
  readonly genesis: bigint;
  /** Seconds from one round to the next, at least 1. */
  readonly period: bigint;
}

/** Returns the newest round that is due at a moment; 0n before the first one. */
export function beaconRoundAt({ genesis, period }: BeaconTimes, time: Instant): bigint {
  const since = time - genesis * 1_000n;
  return since < 0n ? 0n : since / (period * 1_000n) + 1n;
}

/** Returns when a round is due. It must not be used before that moment. `round` counts from 1. */
export function beaconRoundTime({ genesis, period }: BeaconTimes, round: bigint): Instant {
  return ((genesis + (round - 1n) * period) * 1_000n) as Instant;
}

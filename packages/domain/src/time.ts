import type { Nominal } from "./nominal.ts";

/** Milliseconds since 1970 UTC. */
export type Instant = Nominal<bigint, "Instant">;

/** Where time comes from. Rules never read a clock; whoever calls them hands time in. */
export interface Clock {
  /** Wall time, UTC. */
  now(): Instant;
  /** Milliseconds from an arbitrary start, never going back: for measuring lengths. */
  elapsedMs(): number;
}

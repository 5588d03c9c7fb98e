import type { Nominal } from "./nominal.ts";
import { divideDown } from "../money/rounding.ts";

/** Milliseconds since 1970 UTC. */
export type Instant = Nominal<bigint, "Instant">;

/** The source of time. Rules never read a clock; their callers pass the time in. */
export interface Clock {
  /** Wall time, UTC. */
  now(): Instant;
  /** Milliseconds since an arbitrary start. It never goes back and is used to measure lengths. */
  elapsedMs(): number;
}

export const DAY_MS = 86_400_000n;

/** Counts whole UTC days since 1970. Profit, limits and change of "today" all mean this day. */
export function utcDay(at: Instant): number {
  return Number(divideDown(at, DAY_MS));
}

/** Returns 00:00 UTC of a day counted by `utcDay`. */
export function startOfUtcDay(day: number): Instant {
  return (BigInt(day) * DAY_MS) as Instant;
}

/** Returns the earlier of two moments; null means never. */
export function earliest(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

import type { Nominal } from "./nominal.ts";
import { divideDown } from "../money/rounding.ts";

/** Milliseconds since 1970 UTC. */
export type Instant = Nominal<bigint, "Instant">;

/** Where time comes from. Rules never read a clock; whoever calls them hands time in. */
export interface Clock {
  /** Wall time, UTC. */
  now(): Instant;
  /** Milliseconds from an arbitrary start, never going back: for measuring lengths. */
  elapsedMs(): number;
}

export const DAY_MS = 86_400_000n;

/** Counts whole UTC days since 1970. Profit, limits and change of "today" all mean this day. */
export function utcDay(at: Instant): number {
  return Number(divideDown(at, DAY_MS));
}

/** Answers 00:00 UTC of a day that `utcDay` counted. */
export function startOfUtcDay(day: number): Instant {
  return (BigInt(day) * DAY_MS) as Instant;
}

/** Answers the earlier of two moments; null stands for never. */
export function earliest(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

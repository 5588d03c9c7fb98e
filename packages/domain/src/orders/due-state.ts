import type { AgreedOrder } from "./order.ts";
import { settleOrder, type DueOrder } from "./settle.ts";
import type { Tick } from "../market/tick.ts";
import type { Instant } from "../base/time.ts";

/** Finds the first tick with `time > at` by bisection in ticks sorted by time; null if there is none. */
export function firstTickAfter(ticks: readonly Tick[], at: Instant): Tick | null {
  return ticks[countThrough(ticks, at)] ?? null;
}

/** Finds the last tick with `time <= at` in ticks sorted by time; null if there is none. */
export function lastTickThrough(ticks: readonly Tick[], at: Instant): Tick | null {
  return ticks[countThrough(ticks, at) - 1] ?? null;
}

/** Finds the ticks that decide a running order among its instrument's ticks, sorted by time. */
export function findDue(
  order: AgreedOrder,
  staleExitMs: bigint,
  ticks: readonly Tick[],
  sealedThrough: Instant,
): DueOrder {
  const firstTick = firstTickAfter(ticks, order.acceptedAt);
  const expiresAt = firstTick === null ? null : firstTick.time + BigInt(order.durationSeconds) * 1_000n;
  const lastTick = expiresAt === null ? null : lastTickThrough(ticks, expiresAt as Instant);
  return { order, staleExitMs, firstTick, lastTick, sealedThrough };
}

/**
 * Settles an order on an instrument's ticks. Tests compare the settlements made by SQL and by the seals with this one.
 */
export function settleOnTicks(...args: Parameters<typeof findDue>): ReturnType<typeof settleOrder> {
  return settleOrder(findDue(...args));
}

function countThrough(ticks: readonly Tick[], at: Instant): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const tick = ticks[middle];
    if (tick !== undefined && tick.time <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

import { SM1_TICK_MS, type Instant, type Pause, type Sm1State } from "@fairtick/domain";
import type { InstrumentClock } from "../market-rows.ts";
import type { Sm1States } from "../sm1-epoch.ts";

/** Where and when epochs of the simulated market begin. */

/** An epoch opens at least this long before its start … */
const OPEN_NOTICE_MS = 30_000n;
/** … except the first one and the one after a gap: before it, at short notice. */
const SHORT_NOTICE_MS = 1_000n;

/** Directly after the one before; at short notice where that leaves too little time: the first start, and after a gap. */
export function startOfNext(lastEnd: Instant, now: Instant): Instant {
  if (lastEnd >= now + OPEN_NOTICE_MS) return lastEnd;
  const soon = ((now + SHORT_NOTICE_MS) / SM1_TICK_MS + 1n) * SM1_TICK_MS;
  return (soon > lastEnd ? soon : lastEnd) as Instant;
}

/** How long no epoch was open by now; null at the first start, and where the next one follows in time. */
export function gapSince(lastEnd: Instant, now: Instant): Pause | null {
  return lastEnd === 0n || now <= lastEnd ? null : { from: lastEnd, to: now };
}

/** Where paths go on from when an epoch before them cannot be made any more. */
export function statesFromPrices(clocks: ReadonlyMap<string, InstrumentClock>): Sm1States {
  const states = new Map<string, Sm1State>();
  for (const { symbol, price } of clocks.values()) if (price > 0n) states.set(symbol, { x: price << 32n, regime: 1 });
  return states;
}

export function leastOf(times: readonly Instant[]): Instant {
  return times.reduce((least, time) => (time < least ? time : least), times[0] ?? (0n as Instant));
}

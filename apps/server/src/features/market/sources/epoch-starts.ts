import { SM1_TICK_MS, type Instant, type Pause, type Sm1State } from "@fairtick/domain";
import type { InstrumentClock } from "../market-rows.ts";
import type { Sm1States } from "../sm1-epoch.ts";

/** An epoch is opened at least this long before its start. The first one and one after a gap are exceptions. */
const OPEN_NOTICE_MS = 30_000n;
/** The notice of the first epoch and of one after a gap. */
const SHORT_NOTICE_MS = 1_000n;

/** Returns the next epoch's start: directly after the one before, or at short notice if that leaves too little time. */
export function startOfNext(lastEnd: Instant, now: Instant): Instant {
  if (lastEnd >= now + OPEN_NOTICE_MS) return lastEnd;
  const soon = ((now + SHORT_NOTICE_MS) / SM1_TICK_MS + 1n) * SM1_TICK_MS;
  return (soon > lastEnd ? soon : lastEnd) as Instant;
}

/** Returns the time without an open epoch up to now; null at the first start and if the next epoch follows in time. */
export function gapSince(lastEnd: Instant, now: Instant): Pause | null {
  return lastEnd === 0n || now <= lastEnd ? null : { from: lastEnd, to: now };
}

/** Makes starting states from the last prices, for when the epoch before can't be computed any more. */
export function statesFromPrices(clocks: ReadonlyMap<string, InstrumentClock>): Sm1States {
  const states = new Map<string, Sm1State>();
  for (const { symbol, price } of clocks.values()) if (price > 0n) states.set(symbol, { x: price << 32n, regime: 1 });
  return states;
}

export function leastOf(times: readonly Instant[]): Instant {
  return times.reduce((least, time) => (time < least ? time : least), times[0] ?? (0n as Instant));
}

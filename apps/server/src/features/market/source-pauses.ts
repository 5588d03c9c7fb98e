import type { Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Incident } from "../../platform/incident-entry.ts";
import type { InstrumentClock } from "./market-rows.ts";
import type { TickSource } from "./sources/source.ts";

/** How long an order waits for its entry. */
const ENTRY_WINDOW_MS = 10_000n;

/** Returns how long an instrument may be without a price before its orders are voided, in ms. */
export type PauseOf = (symbol: string) => bigint;
export const pauseOfTerms = (staleExitMs: bigint | undefined): bigint =>
  staleExitMs !== undefined && staleExitMs < ENTRY_WINDOW_MS ? staleExitMs : ENTRY_WINDOW_MS;

/** Whether an instrument's market is open at every instant between two, both inclusive. */
export type IsOpenThrough = (symbol: string, from: Instant, to: Instant) => boolean;

/**
 * Watches outside sources. Reports those that come back after a silence long enough to void orders, with the reason for it. Has to
 * look at least once a second, since a pause is measured from the newest tick that was seen. A verifier finds fault with an order that
 * was voided in a silence that nobody reported, so what passed before this market began to write is reported too, and so is a pause
 * that went on past the end of its instrument's hours.
 */
export interface SourcePauses {
  /** Returns the incidents to report since the last look. */
  look(clocks: ReadonlyMap<string, InstrumentClock>, now: Instant): Incident[];
}

/** @param stored The newest ticks before this market began to write. */
export function watchSourcePauses(
  sources: readonly TickSource[],
  stored: ReadonlyMap<string, InstrumentClock>,
  isOpenThrough: IsOpenThrough,
  pauseOf: PauseOf = () => ENTRY_WINDOW_MS,
): SourcePauses {
  const outside = sources.flatMap((source) =>
    source.symbols.filter((symbol) => source.madeBy(symbol) !== SIMULATED).map((symbol) => ({ symbol, source })),
  );
  const seen = new Map<string, Instant>();
  for (const { symbol, time, seq } of stored.values()) if (seq > 0n) seen.set(symbol, time);
  const began = new Map(seen);

  function reasonOf(symbol: string, source: TickSource, from: Instant): string {
    const still = source.whyStill?.(symbol) ?? null;
    const before = began.get(symbol) === from ? "the market began to write anew" : null;
    const reasons = [before, still].filter((reason) => reason !== null);
    return reasons.join("; ").slice(0, REASON_MAX) || "no price of its sources";
  }

  return {
    look(clocks, now) {
      return outside.flatMap(({ symbol, source }) => {
        const clock = clocks.get(symbol);
        const from = seen.get(symbol);
        if (clock === undefined || clock.seq === 0n) return [];
        seen.set(symbol, clock.time);
        const to = clock.time;
        const pause = pauseOf(symbol);
        if (from === undefined || to - from <= pause) return [];
        // Orders are voided while the instrument is traded: what comes after that is not asked.
        if (!isOpenThrough(symbol, from, (from + pause) as Instant)) return [];
        return [{ at: now > to ? now : to, from, to, part: "source", reason: reasonOf(symbol, source, from), symbol }];
      });
    },
  };
}

/** An entry of the log takes no longer one. */
const REASON_MAX = 200;

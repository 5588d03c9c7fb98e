import type { Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Incident } from "../../platform/incident-entry.ts";
import type { InstrumentClock } from "./market-rows.ts";
import type { TickSource } from "./sources/source.ts";

/** No order's entry is waited for longer. */
const ENTRY_WINDOW_MS = 10_000n;

/** For how long an instrument may give no price before its orders are voided for it; without its terms as long as an entry is waited for. */
export type PauseOf = (symbol: string) => bigint;
export const pauseOfTerms = (staleExitMs: bigint | undefined): bigint =>
  staleExitMs !== undefined && staleExitMs < ENTRY_WINDOW_MS ? staleExitMs : ENTRY_WINDOW_MS;

/** Whether an instrument's market is open at every instant between two, both inclusive. */
export type IsOpenThrough = (symbol: string, from: Instant, to: Instant) => boolean;

/**
 * Looks at outside sources that come back after a stretch that voids orders, and says why they gave no price. Ask once a second at
 * least: a pause begins with the newest tick that was seen.
 */
export interface SourcePauses {
  /** Incidents to be told of, since the last look. */
  look(clocks: ReadonlyMap<string, InstrumentClock>, now: Instant): Incident[];
}

export function watchSourcePauses(
  sources: readonly TickSource[],
  isOpenThrough: IsOpenThrough,
  pauseOf: PauseOf = () => ENTRY_WINDOW_MS,
): SourcePauses {
  const outside = sources.flatMap((source) =>
    source.symbols.filter((symbol) => source.madeBy(symbol) !== SIMULATED).map((symbol) => ({ symbol, source })),
  );
  const seen = new Map<string, Instant>();
  return {
    look(clocks, now) {
      return outside.flatMap(({ symbol, source }) => {
        const clock = clocks.get(symbol);
        const from = seen.get(symbol);
        if (clock === undefined || clock.seq === 0n) return [];
        seen.set(symbol, clock.time);
        const to = clock.time;
        if (from === undefined || to - from <= pauseOf(symbol) || !isOpenThrough(symbol, from, to)) return [];
        const reason = source.whyStill?.(symbol) ?? "no price of its sources";
        return [{ at: now > to ? now : to, from, to, part: "source", reason, symbol }];
      });
    },
  };
}

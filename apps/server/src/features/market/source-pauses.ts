import type { Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Incident } from "../../platform/incident-entry.ts";
import type { InstrumentClock } from "./market-rows.ts";
import type { TickSource } from "./sources/source.ts";

/** An outside source that gave no tick for so long, while its market was open, stood still. */
const PAUSE_MS = 30_000n;

/** Whether an instrument's market is open at every instant between two, both inclusive. */
export type IsOpenThrough = (symbol: string, from: Instant, to: Instant) => boolean;

/** Looks at outside sources that come back. Ask once a second at least: a pause begins with the newest tick that was seen. */
export interface SourcePauses {
  /** Incidents to be told of, since the last look. */
  look(clocks: ReadonlyMap<string, InstrumentClock>, now: Instant): Incident[];
}

export function watchSourcePauses(sources: readonly TickSource[], isOpenThrough: IsOpenThrough): SourcePauses {
  const outside = sources.flatMap((source) => source.symbols.filter((symbol) => source.madeBy(symbol) !== SIMULATED));
  const seen = new Map<string, Instant>();
  return {
    look(clocks, now) {
      return outside.flatMap((symbol) => {
        const clock = clocks.get(symbol);
        const from = seen.get(symbol);
        if (clock === undefined || clock.seq === 0n) return [];
        seen.set(symbol, clock.time);
        const to = clock.time;
        if (from === undefined || to - from <= PAUSE_MS || !isOpenThrough(symbol, from, to)) return [];
        return [{ at: now > to ? now : to, from, to, part: "source", reason: "no price of its sources", symbol }];
      });
    },
  };
}

import type { Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Incident } from "../../platform/incident-entry.ts";
import type { InstrumentClock, StoredTick } from "./market-rows.ts";
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
 * Finds silences of outside sources that were long enough to void orders, with their reasons. A verifier finds fault with an order
 * that was voided in a silence that nobody reported: so the price that ends one is stored together with the word about it, and
 * what passed before this market began to write is reported too, as is a pause that went on past the end of its instrument's hours.
 */
export interface SourcePauses {
  /** Says what the newest stored ticks are as this market begins to write. */
  resume(clocks: ReadonlyMap<string, InstrumentClock>): void;
  /**
   * Returns the incidents that `ticks` end, which are about to be stored at `now`, in the order of their times.
   *
   * @param clocks The newest ticks before them.
   */
  endedBy(
    ticks: readonly Pick<StoredTick, "symbol" | "time">[],
    clocks: ReadonlyMap<string, InstrumentClock>,
    now: Instant,
  ): Incident[];
}

export function watchSourcePauses(
  sources: readonly TickSource[],
  isOpenThrough: IsOpenThrough = () => true,
  pauseOf: PauseOf = () => ENTRY_WINDOW_MS,
): SourcePauses {
  const outside = new Map(
    sources.flatMap((source) =>
      source.symbols.filter((symbol) => source.madeBy(symbol) !== SIMULATED).map((symbol) => [symbol, source] as const),
    ),
  );
  let began: ReadonlyMap<string, Instant> = new Map();

  function reasonOf(symbol: string, source: TickSource, from: Instant): string {
    const still = source.whyStill?.(symbol) ?? null;
    const before = began.get(symbol) === from ? "the market began to write anew" : null;
    const reasons = [before, still].filter((reason) => reason !== null);
    return reasons.join("; ").slice(0, REASON_MAX) || "no price of its sources";
  }

  /** Orders are voided while the instrument is traded: what comes after that is not asked. */
  function voidsOrders(symbol: string, from: Instant, to: Instant): boolean {
    const pause = pauseOf(symbol);
    return to - from > pause && isOpenThrough(symbol, from, (from + pause) as Instant);
  }

  return {
    resume(clocks) {
      began = newest(clocks);
    },
    endedBy(ticks, clocks, now) {
      const seen = newest(clocks);
      const ended: Incident[] = [];
      for (const { symbol, time: to } of ticks) {
        const source = outside.get(symbol);
        const from = seen.get(symbol);
        seen.set(symbol, to);
        if (source === undefined || from === undefined || !voidsOrders(symbol, from, to)) continue;
        const reason = reasonOf(symbol, source, from);
        ended.push({ at: now > to ? now : to, from, to, part: "source", reason, symbol });
      }
      return ended;
    },
  };
}

/** The times of the newest ticks, of instruments that have any. */
function newest(clocks: ReadonlyMap<string, InstrumentClock>): Map<string, Instant> {
  return new Map([...clocks.values()].filter(({ seq }) => seq > 0n).map(({ symbol, time }) => [symbol, time]));
}

/** An entry of the log takes no longer one. */
const REASON_MAX = 200;

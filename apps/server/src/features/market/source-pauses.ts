import type { Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Incident } from "../../platform/incident-entry.ts";
import type { InstrumentClock, StoredTick } from "./market-rows.ts";
import type { TickSource } from "./sources/source.ts";

/** How long an order waits for its entry tick before it is voided. */
const ENTRY_WINDOW_MS = 10_000n;

/** Returns how long an instrument may be without a price before its orders are voided, in ms. */
export type PauseOf = (symbol: string) => bigint;
export const pauseOfTerms = (staleExitMs: bigint | undefined): bigint =>
  staleExitMs !== undefined && staleExitMs < ENTRY_WINDOW_MS ? staleExitMs : ENTRY_WINDOW_MS;

/** Returns whether an instrument's market is open at every instant from `from` to `to`, both inclusive. */
export type IsOpenThrough = (symbol: string, from: Instant, to: Instant) => boolean;

/**
 * Finds silences of outside sources that were long enough to void orders, with their reasons. Verifiers report an order
 * that was voided in a silence without an incident. Therefore the incident is stored together with the price that ends
 * the silence. Silences are also reported if they began before this market began to write, or went on past the end of
 * the instrument's hours.
 */
export interface SourcePauses {
  /** Takes the newest stored ticks as the starting point when this market begins to write. */
  resume(clocks: ReadonlyMap<string, InstrumentClock>): void;
  /**
   * Returns the incidents of the silences that `ticks` end, in order of time.
   *
   * @param ticks the ticks about to be stored
   * @param clocks the newest ticks before them
   * @param now the time of storing
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

  /**
   * Returns whether the silence voids orders. Orders are voided only within trading hours, so later time doesn't count.
   */
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

/** Returns the time of each instrument's newest tick. Leaves out instruments without ticks. */
function newest(clocks: ReadonlyMap<string, InstrumentClock>): Map<string, Instant> {
  return new Map([...clocks.values()].filter(({ seq }) => seq > 0n).map(({ symbol, time }) => [symbol, time]));
}

/** The longest reason that a log entry may have, in characters. */
const REASON_MAX = 200;

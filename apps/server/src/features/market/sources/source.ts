import type { Instant, Points } from "@fairtick/domain";
import type { SignedQuote } from "@fairtick/transparency";
import type { InstrumentClock, Seal } from "../market-rows.ts";

/** The quotes that an outside tick was composed from, stored with it so that everyone can check them. */
export interface TickQuotes {
  /** Sources that counted and sources that were left out, as `sourcesText` writes them. */
  readonly sources: string;
  /** The signed quote among those that counted; null if there is none. */
  readonly signed: SignedQuote | null;
}

/** A tick to be stored. The writer gives it its number. */
export interface DueTick {
  readonly symbol: string;
  readonly time: Instant;
  readonly price: Points;
  readonly quotes?: TickQuotes;
}

/** The ticks and seals that a source has due by some moment. */
export interface SourceSlot {
  /** Ordered by time, and strictly later than the symbol's earlier ticks and seals. */
  readonly ticks: readonly DueTick[];
  /** How far each symbol may be sealed once these ticks are stored. Never past a due tick that isn't among them. */
  readonly seals: readonly Seal[];
}

/**
 * A source of ticks for some instruments. Only the writer calls it, one call at a time: `resume`, then `next` and `stored` in
 * turn. A slot that was not stored is forgotten: `resume` and `next` start again from the tables.
 */
export interface TickSource {
  readonly symbols: readonly string[];
  /** The name in the log for the source of a symbol's ticks: `SM1`, or outside sources joined by `+`. */
  madeBy(symbol: string): string;
  /** Continues from the tables, after each takeover and after a slot that could not be stored. */
  resume(clocks: ReadonlyMap<string, InstrumentClock>, now: Instant): Promise<void>;
  /** Returns the slot due by `now`. No tick is ever due before its time. */
  next(now: Instant): SourceSlot;
  /** Notes that the slot from `next` is committed. */
  stored(): void;
  /** Returns when `next` should be called again at the latest; null if nothing is expected. */
  nextDueAt(now: Instant): Instant | null;
  /** Returns why an outside source's symbol last had no price, in ASCII; null if it always had one. */
  whyStill?(symbol: string): string | null;
  /** Does the work besides slots: commits, reveals, connections. Called about once a second, never twice at a time. */
  tend(): Promise<void>;
  stop(): Promise<void>;
}

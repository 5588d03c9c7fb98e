import type { Instant, Points } from "@fairtick/domain";
import type { SignedQuote } from "@fairtick/transparency";
import type { InstrumentClock, Seal } from "../market-rows.ts";

/** What a tick from outside was composed of: kept with it, for everybody to check. */
export interface TickQuotes {
  /** As `sourcesText` writes them: those that counted, and those that were left out. */
  readonly sources: string;
  /** The signed quote among those that counted; null without one. */
  readonly signed: SignedQuote | null;
}

/** A tick that a source wants stored; the writer numbers it. */
export interface DueTick {
  readonly symbol: string;
  readonly time: Instant;
  readonly price: Points;
  readonly quotes?: TickQuotes;
}

/** What a source has to say by some moment. */
export interface SourceSlot {
  /** By time, and strictly later than the symbol's ticks and seals before it. */
  readonly ticks: readonly DueTick[];
  /** How far each symbol may be sealed once these ticks are stored: never past one that is due and not among them. */
  readonly seals: readonly Seal[];
}

/**
 * Where the ticks of some instruments come from. Only the writer calls it, one call at a time: `resume`, then
 * `next` and `stored` in turn. A slot that was not stored is forgotten: `resume` and `next` begin again from the tables.
 */
export interface TickSource {
  readonly symbols: readonly string[];
  /** What the log calls the maker of a symbol's ticks: `SM1`, or outside sources by name and joined by `+`. */
  madeBy(symbol: string): string;
  /** Goes on from what the tables hold: after each takeover, and after a slot that could not be stored. */
  resume(clocks: ReadonlyMap<string, InstrumentClock>, now: Instant): Promise<void>;
  /** The slot due by `now`. Nothing is ever due before its time. */
  next(now: Instant): SourceSlot;
  /** The slot that `next` gave is committed. */
  stored(): void;
  /** When `next` should be asked again at the latest; null while nothing is foreseen. */
  nextDueAt(now: Instant): Instant | null;
  /** Of outside sources: why the symbol's newest stretch without a price was, in ASCII; null where nothing is known of one. */
  whyStill?(symbol: string): string | null;
  /** What is done beside the slots: commits and reveals, connections. Called about once a second, never twice at a time. */
  tend(): Promise<void>;
  stop(): Promise<void>;
}

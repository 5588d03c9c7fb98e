import type { Clock, Instant } from "@fairtick/domain";
import type { Log } from "../../../platform/log.ts";
import { type Composed, type ComposedInstrument, type Composer, createComposer } from "./composer.ts";
import type { InstrumentClock } from "../market-rows.ts";
import type { Feed, Rejection } from "./feed.ts";
import { SIGNED_SOURCE, sourcesText } from "@fairtick/transparency";
import type { QuoteOrders } from "./signed-order.ts";
import type { DueTick, SourceSlot, TickQuotes, TickSource } from "./source.ts";

export interface ComposedSourceParts {
  readonly feeds: readonly Feed[];
  readonly instruments: readonly ComposedInstrument[];
  readonly clock: Clock;
  readonly log: Log;
  /** The names of each symbol's sources. Without it, every feed prices every symbol. */
  readonly sourcesOf?: ReadonlyMap<string, readonly string[]>;
  /** Runs before the feeds start. */
  readonly prepare?: () => Promise<void>;
  /** Returns the orders that stored ticks already used, which later quotes must not go back behind. */
  readonly usedOrders?: () => Promise<QuoteOrders>;
}

export interface ComposedSource extends TickSource {
  rejections(): Readonly<Partial<Record<Rejection, number>>>;
}

/** Each instrument gets at most ten ticks a second. */
const TICK_EVERY_MS = 100n;
const REPORT_EVERY_MS = 60_000;

/**
 * Creates the source of ticks that are composed from outside sources. A tick's time is when it was composed. A slot that could
 * not be stored is therefore not repeated, and whatever a source missed stays a gap: it is sealed and never filled in later.
 */
export function createComposedSource(parts: ComposedSourceParts): ComposedSource {
  return new OutsideSource(parts);
}

/** A slot that was handed out and may still be stored. */
interface PendingSlot {
  readonly ticks: readonly DueTick[];
  readonly now: Instant;
  /** When it was composed, in ms of elapsed time. */
  readonly at: number;
}

class OutsideSource implements ComposedSource {
  readonly symbols: readonly string[];
  readonly #parts: ComposedSourceParts;
  #composer: Composer;
  #lastTicks = new Map<string, Instant>();
  #sealed = 0n as Instant;
  #pending: PendingSlot | null = null;
  #isListening = false;
  #reportedAt: number;
  #reported = "";

  constructor(parts: ComposedSourceParts) {
    this.#parts = parts;
    this.symbols = parts.instruments.map((one) => one.symbol);
    this.#composer = createComposer(parts.instruments, new Map(), parts.sourcesOf);
    this.#reportedAt = parts.clock.elapsedMs();
  }

  madeBy(symbol: string): string {
    const { feeds, sourcesOf } = this.#parts;
    return (sourcesOf?.get(symbol) ?? feeds.map(({ name }) => name)).toSorted().join("+");
  }

  async resume(clocks: ReadonlyMap<string, InstrumentClock>): Promise<void> {
    const mine = [...clocks.values()].filter((one) => this.symbols.includes(one.symbol) && one.seq > 0n);
    const { instruments, sourcesOf, usedOrders } = this.#parts;
    const used: QuoteOrders = usedOrders === undefined ? new Map() : await usedOrders();
    // Quotes go on coming while this waits, so look at this process's own orders last.
    const orders = newestOrders(used, this.#composer.orders());
    const prices = new Map(mine.map((one) => [one.symbol, one.price]));
    this.#composer = createComposer(instruments, prices, sourcesOf, orders);
    this.#lastTicks = new Map(mine.map((one) => [one.symbol, one.time]));
    this.#pending = null;
    this.#sealed = 0n as Instant;
    for (const symbol of this.symbols) {
      const through = clocks.get(symbol)?.sealedThrough ?? this.#sealed;
      if (through > this.#sealed) this.#sealed = through;
    }
    if (this.#isListening) return;
    if (this.#parts.prepare) await this.#parts.prepare();
    this.#listen();
  }

  next(now: Instant): SourceSlot {
    this.#pending = null;
    if (now <= this.#sealed) return { ticks: [], seals: [] };
    const at = this.#parts.clock.elapsedMs();
    const ticks: DueTick[] = [];
    for (const symbol of this.symbols) {
      if (now - (this.#lastTicks.get(symbol) ?? 0n) < TICK_EVERY_MS) continue;
      const composed = this.#composer.composeWithSources(symbol, at);
      if (composed !== null) ticks.push({ symbol, time: now, price: composed.price, quotes: quotesOf(composed) });
    }
    this.#pending = { ticks, now, at };
    return { ticks, seals: this.symbols.map((symbol) => ({ symbol, time: now })) };
  }

  stored(): void {
    if (!this.#pending) return;
    const { ticks, now, at } = this.#pending;
    for (const { symbol, time, price } of ticks) {
      this.#composer.taken(symbol, price, at);
      this.#lastTicks.set(symbol, time);
    }
    this.#sealed = now;
    this.#pending = null;
  }

  whyStill(symbol: string): string | null {
    return this.#composer.whyStill(symbol);
  }

  nextDueAt(): null {
    // The writer asks again within 100 ms anyway.
    return null;
  }

  tend(): Promise<void> {
    const { clock, log } = this.#parts;
    const rejections = this.#composer.rejections();
    const text = JSON.stringify(rejections);
    if (clock.elapsedMs() - this.#reportedAt >= REPORT_EVERY_MS && text !== this.#reported) {
      this.#reportedAt = clock.elapsedMs();
      this.#reported = text;
      log.warn({ rejections }, "quotes were rejected");
    }
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#parts.feeds.map((feed) => feed.stop()));
  }

  rejections(): Readonly<Partial<Record<Rejection, number>>> {
    return this.#composer.rejections();
  }

  #listen(): void {
    const { feeds, clock } = this.#parts;
    this.#isListening = true;
    for (const feed of feeds) {
      feed.start({
        quote: (quote) => {
          this.#composer.hear(feed.name, quote, clock.elapsedMs());
        },
        malformed: () => {
          this.#composer.refuse(feed.name, "malformed", clock.elapsedMs());
        },
        refused: (reason, quotes = []) => {
          this.#composer.refuse(feed.name, reason, clock.elapsedMs(), quotes);
        },
      });
    }
  }
}

/** Returns the higher of two orders for each symbol and source. */
function newestOrders(one: QuoteOrders, other: QuoteOrders): QuoteOrders {
  const newest = new Map<string, Map<string, bigint>>();
  for (const [symbol, orders] of [...one, ...other]) {
    const mine = newest.get(symbol) ?? new Map<string, bigint>();
    newest.set(symbol, mine);
    for (const [source, order] of orders) if (order > (mine.get(source) ?? -1n)) mine.set(source, order);
  }
  return newest;
}

/** Returns what is stored with a tick: each source's price, and the signed quote if there is one. */
function quotesOf({ sources, leftOut }: Composed): TickQuotes {
  const prices = new Map([...sources].map(([name, { price }]) => [name, price]));
  return { sources: sourcesText(prices, leftOut), signed: sources.get(SIGNED_SOURCE)?.signed ?? null };
}

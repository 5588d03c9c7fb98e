import type { Clock, Instant } from "@fairtick/domain";
import type { Log } from "../../../platform/log.ts";
import { type Composed, type ComposedInstrument, type Composer, createComposer } from "./composer.ts";
import type { Feed, Rejection } from "./feed.ts";
import { SIGNED_SOURCE, sourcesText } from "@fairtick/transparency";
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
  const { feeds, instruments, clock, log } = parts;
  const symbols = instruments.map((one) => one.symbol);
  let composer: Composer = createComposer(instruments);
  let lastTicks = new Map<string, Instant>();
  let sealed = 0n as Instant;
  let pending: { readonly ticks: readonly DueTick[]; readonly now: Instant; readonly at: number } | null = null;
  let listening = false;
  let reportedAt = clock.elapsedMs();
  let reported = "";

  function listen(): void {
    listening = true;
    for (const feed of feeds) {
      feed.start({
        quote: (quote) => {
          composer.hear(feed.name, quote, clock.elapsedMs());
        },
        malformed: () => {
          composer.reject("malformed");
        },
        refused: (reason) => {
          composer.reject(reason);
        },
      });
    }
  }

  return {
    symbols,
    madeBy: (symbol) => (parts.sourcesOf?.get(symbol) ?? feeds.map(({ name }) => name)).toSorted().join("+"),
    async resume(clocks) {
      const mine = [...clocks.values()].filter((one) => symbols.includes(one.symbol) && one.seq > 0n);
      composer = createComposer(instruments, new Map(mine.map((one) => [one.symbol, one.price])));
      lastTicks = new Map(mine.map((one) => [one.symbol, one.time]));
      pending = null;
      sealed = 0n as Instant;
      for (const symbol of symbols) {
        const through = clocks.get(symbol)?.sealedThrough ?? sealed;
        if (through > sealed) sealed = through;
      }
      if (listening) return;
      if (parts.prepare) await parts.prepare();
      listen();
    },
    next(now): SourceSlot {
      pending = null;
      if (now <= sealed) return { ticks: [], seals: [] };
      const at = clock.elapsedMs();
      const ticks: DueTick[] = [];
      for (const symbol of symbols) {
        if (now - (lastTicks.get(symbol) ?? 0n) < TICK_EVERY_MS) continue;
        const composed = composer.composeWithSources(symbol, at);
        if (composed !== null) ticks.push({ symbol, time: now, price: composed.price, quotes: quotesOf(composed) });
      }
      pending = { ticks, now, at };
      return { ticks, seals: symbols.map((symbol) => ({ symbol, time: now })) };
    },
    stored() {
      if (!pending) return;
      for (const { symbol, time, price } of pending.ticks) {
        composer.taken(symbol, price, pending.at);
        lastTicks.set(symbol, time);
      }
      sealed = pending.now;
      pending = null;
    },
    whyStill: (symbol) => composer.whyStill(symbol),
    // The writer asks again within 100 ms anyway.
    nextDueAt: () => null,
    tend() {
      const text = JSON.stringify(composer.rejections());
      if (clock.elapsedMs() - reportedAt >= REPORT_EVERY_MS && text !== reported) {
        reportedAt = clock.elapsedMs();
        reported = text;
        log.warn({ rejections: composer.rejections() }, "quotes were rejected");
      }
      return Promise.resolve();
    },
    async stop() {
      await Promise.all(feeds.map((feed) => feed.stop()));
    },
    rejections: () => composer.rejections(),
  };
}

/** Returns what is stored with a tick: each source's price, and the signed quote if there is one. */
function quotesOf({ sources, leftOut }: Composed): TickQuotes {
  const prices = new Map([...sources].map(([name, { price }]) => [name, price]));
  return { sources: sourcesText(prices, leftOut), signed: sources.get(SIGNED_SOURCE)?.signed ?? null };
}

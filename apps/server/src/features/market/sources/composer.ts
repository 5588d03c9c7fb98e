import type { Points, Rate } from "@fairtick/domain";
import type { SignedQuote } from "@fairtick/transparency";
import { isWithin, median } from "./compare-prices.ts";
import { type RawQuote, type ReadPrice, readQuotePrice, type Rejection } from "./feed.ts";
import type { QuoteOrders } from "./signed-order.ts";
import { describeDispute, describeSilence, describeUncounted, type Refusal } from "./why-still.ts";

export interface ComposedInstrument {
  readonly symbol: string;
  readonly decimals: number;
  /** A price this far from the last tick is not accepted at once; null accepts any move. */
  readonly band: Rate | null;
  /** How many fresh sources have to agree on a price. If fewer are fresh, one that signs its quotes is enough. */
  readonly quorum: number;
  /**
   * A source this far from the median of the fresh ones is left out, and a quote whose bid and ask are this far apart is
   * refused; null allows any distance.
   */
  readonly agreement: Rate | null;
}

/** Turns the quotes of several sources, some of them possibly wrong, into one price for each instrument. */
export interface Composer {
  /** Takes or rejects a quote of one source. `at` is in ms of elapsed time. */
  hear(source: string, quote: RawQuote, at: number): void;
  /**
   * Counts one refusal by a source's feed, and notes it for the instruments that `quotes` are about. Without quotes,
   * something unreadable may have been about any instrument of the source. `at` is in ms of elapsed time.
   */
  refuse(source: string, reason: Rejection, at: number, quotes?: readonly RawQuote[]): void;
  /** Returns the price that a tick would have now; null if nothing is new or there is no quorum of fresh sources. */
  compose(symbol: string, at: number): Points | null;
  /** Does the same, and also returns the sources whose median it is. */
  composeWithSources(symbol: string, at: number): Composed | null;
  /** Notes that a tick with this price is stored, so that later prices are compared with it. */
  taken(symbol: string, price: Points, at: number): void;
  /**
   * Returns why there was last no quorum, in ASCII with prices in points: which sources were silent, refused or too far
   * apart; null if there always was one.
   */
  whyStill(symbol: string): string | null;
  /** Returns the order of each source's newest accepted quote that has one, by symbol. */
  orders(): QuoteOrders;
  /** Counts quotes rejected since the start, by reason. */
  rejections(): Readonly<Partial<Record<Rejection, number>>>;
}

export interface Composed {
  readonly price: Points;
  /** The price of each source that counted, with its proof if it signs quotes. */
  readonly sources: ReadonlyMap<string, { readonly price: Points; readonly signed: SignedQuote | null }>;
  /** Prices of fresh sources that were too far from the median of all. */
  readonly leftOut: ReadonlyMap<string, Points>;
}

/** A source that was silent for longer doesn't count. */
export const FRESH_MS = 2_000;
/** A jump is accepted once it has lasted this long: the market moved, or was closed in between. */
export const JUMP_HOLDS_MS = 10_000;

interface Heard {
  order: bigint | null;
  /** The text of the last quote. A quote with the same text isn't new. */
  text: string;
  price: Points | null;
  signed: SignedQuote | null;
  at: number;
  /** Time of the newest quote that was counted as far from the others. */
  outlierAt: number;
  /** Since when this source has been outside the band, and at which price. */
  jump: { readonly since: number; readonly price: Points } | null;
  /** The newest refused quote since the last one that was accepted. */
  refusal: Refusal | null;
}

/** A fresh price of one source. */
interface Spoken {
  readonly source: string;
  readonly price: Points;
  readonly at: number;
  readonly record: Heard;
}

interface Instrument extends ComposedInstrument {
  /** The only sources that count; null if every feed does. */
  readonly sources: readonly string[] | null;
  readonly heard: Map<string, Heard>;
  /** Price of the last tick. */
  last: Points | null;
  lastAt: number;
  still: string | null;
}

/**
 * Creates a composer.
 *
 * @param lastPrices the price of each symbol's last tick, in points
 * @param sourcesOf the names of each symbol's only sources, including ones that may never be heard; without an entry,
 *   every feed may price the symbol
 * @param orders the order that each source's quotes of a symbol may not go back behind
 */
export function createComposer(
  instruments: readonly ComposedInstrument[],
  lastPrices: ReadonlyMap<string, Points> = new Map(),
  sourcesOf: ReadonlyMap<string, readonly string[]> = new Map(),
  orders: QuoteOrders = new Map(),
): Composer {
  return new MedianComposer(instruments, lastPrices, sourcesOf, orders);
}

class MedianComposer implements Composer {
  readonly #instruments = new Map<string, Instrument>();
  readonly #rejections: Partial<Record<Rejection, number>> = {};

  constructor(
    instruments: readonly ComposedInstrument[],
    lastPrices: ReadonlyMap<string, Points>,
    sourcesOf: ReadonlyMap<string, readonly string[]>,
    orders: QuoteOrders,
  ) {
    for (const instrument of instruments) {
      const { symbol } = instrument;
      const last = lastPrices.get(symbol) ?? null;
      const sources = sourcesOf.get(symbol) ?? null;
      const mine: Instrument = { ...instrument, sources, heard: new Map(), last, lastAt: -1, still: null };
      for (const source of sources ?? []) heardFrom(mine, source);
      for (const [source, order] of orders.get(symbol) ?? []) Object.assign(heardFrom(mine, source) ?? {}, { order });
      this.#instruments.set(symbol, mine);
    }
  }

  hear(source: string, quote: RawQuote, at: number): void {
    const instrument = this.#instruments.get(quote.symbol);
    const heard = instrument && heardFrom(instrument, source);
    if (!instrument || !heard) {
      this.#count("unknownInstrument");
      return;
    }
    const text = `${quote.order ?? at},${quote.bid ?? ""},${quote.ask ?? ""},${quote.last ?? ""}`;
    const read = readQuotePrice(quote, instrument.decimals, instrument.agreement);
    const reason = reasonAgainst(instrument, heard, { order: quote.order, text, read, at });
    if (reason !== null || !read.ok) {
      this.refuse(source, reason ?? "malformed", at, [quote]);
      return;
    }
    heard.order = quote.order ?? heard.order;
    heard.text = text;
    heard.price = read.price;
    heard.signed = quote.signed ?? null;
    heard.at = at;
    heard.refusal = null;
  }

  refuse(source: string, reason: Rejection, at: number, quotes?: readonly RawQuote[]): void {
    this.#count(reason);
    for (const quote of quotes ?? []) {
      const instrument = this.#instruments.get(quote.symbol);
      const heard = instrument && heardFrom(instrument, source);
      if (!instrument || !heard) continue;
      const read = readQuotePrice(quote, instrument.decimals, instrument.agreement);
      heard.refusal = { reason, price: read.ok ? read.price : null, at, isNamed: true };
    }
    if (quotes !== undefined || reason !== "malformed") return;
    for (const { heard } of this.#instruments.values()) {
      const record = heard.get(source);
      // What named the instrument says more than what may have been about another one.
      if (record === undefined || (record.refusal?.isNamed === true && at - record.refusal.at <= FRESH_MS)) continue;
      record.refusal = { reason, price: null, at, isNamed: false };
    }
  }

  compose(symbol: string, at: number): Points | null {
    return this.composeWithSources(symbol, at)?.price ?? null;
  }

  composeWithSources(symbol: string, at: number): Composed | null {
    const instrument = this.#instruments.get(symbol);
    if (!instrument) return null;
    const fresh = freshOf(instrument, at);
    const middle = median(fresh.map(({ price }) => price));
    const needed = neededOf(instrument, fresh);
    if (fresh.length < needed || middle === null) {
      instrument.still = describeSilence(fresh.length, instrument.quorum, describeOthers(instrument, fresh, at));
      return null;
    }
    const agreeing = fresh.filter((one) => this.#agrees(instrument, one, middle));
    if (agreeing.length < needed) instrument.still = describeDispute(fresh, describeOthers(instrument, fresh, at));
    if (agreeing.length < needed || !agreeing.some((one) => one.at > instrument.lastAt)) return null;
    const price = median(agreeing.map((one) => one.price));
    const sources = agreeing.map(
      ({ source, price: said, record }) => [source, { price: said, signed: record.signed }] as const,
    );
    const leftOut = fresh.filter((one) => !agreeing.includes(one)).map((one) => [one.source, one.price] as const);
    return price === null ? null : { price, sources: new Map(sources), leftOut: new Map(leftOut) };
  }

  taken(symbol: string, price: Points, at: number): void {
    const instrument = this.#instruments.get(symbol);
    if (!instrument) return;
    instrument.last = price;
    instrument.lastAt = at;
  }

  whyStill(symbol: string): string | null {
    return this.#instruments.get(symbol)?.still ?? null;
  }

  orders(): QuoteOrders {
    const orders = new Map<string, ReadonlyMap<string, bigint>>();
    for (const { symbol, heard } of this.#instruments.values()) {
      const known = [...heard].flatMap(([source, { order }]) => (order === null ? [] : [[source, order] as const]));
      orders.set(symbol, new Map(known));
    }
    return orders;
  }

  rejections(): Readonly<Partial<Record<Rejection, number>>> {
    return this.#rejections;
  }

  #count(reason: Rejection): void {
    this.#rejections[reason] = (this.#rejections[reason] ?? 0) + 1;
  }

  /** Whether a fresh source is close enough to the median of all. Counts an outlier once for each quote. */
  #agrees(instrument: Instrument, heard: Spoken, middle: Points): boolean {
    if (instrument.agreement === null || isWithin(heard.price, middle, instrument.agreement)) return true;
    if (heard.record.outlierAt !== heard.at) this.#count("outlier");
    heard.record.outlierAt = heard.at;
    return false;
  }
}

/**
 * Returns what was heard from a source about an instrument, and starts the record with its first quote. Null if it is no
 * source of the instrument: a price of it would be a fault in the log, which names the sources.
 */
function heardFrom(instrument: Instrument, source: string): Heard | null {
  if (instrument.sources?.includes(source) === false) return null;
  const known = instrument.heard.get(source);
  if (known !== undefined) return known;
  const nothing = { order: null, text: "", price: null, signed: null, at: 0, outlierAt: -1, jump: null, refusal: null };
  const heard: Heard = nothing;
  instrument.heard.set(source, heard);
  return heard;
}

/** Returns why a source's quote doesn't count; null if it does. */
function reasonAgainst(
  instrument: Instrument,
  heard: Heard,
  { order, text, read, at }: { order: bigint | null; text: string; read: ReadPrice; at: number },
): Rejection | null {
  if (order !== null && heard.order !== null && order < heard.order) return "outOfOrder";
  if (text === heard.text) return "duplicate";
  if (!read.ok) return read.reason;
  return isBelieved(instrument, heard, read.price, at) ? null : "jump";
}

/** Whether a price is close enough to the last tick, or has held its new level long enough. */
function isBelieved({ band, last }: Instrument, heard: Heard, price: Points, at: number): boolean {
  if (band === null || last === null || isWithin(price, last, band)) {
    heard.jump = null;
    return true;
  }
  if (!heard.jump || !isWithin(price, heard.jump.price, band)) heard.jump = { since: at, price };
  return at - heard.jump.since >= JUMP_HOLDS_MS;
}

function freshOf(instrument: Instrument, at: number): Spoken[] {
  const fresh: Spoken[] = [];
  for (const [source, record] of instrument.heard) {
    if (record.price !== null && at - record.at <= FRESH_MS)
      fresh.push({ source, price: record.price, at: record.at, record });
  }
  return fresh;
}

/**
 * Returns how many sources have to agree now. Nobody can check that a source was silent, so silence must not stop the
 * prices while a source goes on whose quotes are signed: then those that are fresh have to agree, whatever the quorum.
 */
function neededOf({ quorum }: Instrument, fresh: readonly Spoken[]): number {
  const isSigned = fresh.some(({ record }) => record.signed !== null);
  return isSigned ? Math.min(quorum, fresh.length) : quorum;
}

/** Describes the sources that aren't fresh. Refusals from before the last tick explain nothing about the time after it. */
function describeOthers({ heard, lastAt }: Instrument, fresh: readonly Spoken[], at: number): string {
  const spoke = new Set(fresh.map(({ source }) => source));
  const others = [...heard].filter(([source]) => !spoke.has(source));
  const uncounted = others.map(([source, { refusal }]) => ({
    source,
    refusal: refusal !== null && refusal.at > lastAt ? refusal : null,
  }));
  return describeUncounted(uncounted, at, FRESH_MS);
}

import { divideHalfEven, parseDecimal, type Points, type Rate, RATE_ONE } from "@fairtick/domain";
import type { PythFault, SignedQuote } from "@fairtick/transparency";

/** One quote of an outside source about an instrument, unchanged: prices are still text. */
export interface RawQuote {
  readonly symbol: string;
  /** A quote has both bid and ask, or only `last`. */
  readonly bid?: string;
  readonly ask?: string;
  readonly last?: string;
  /** Orders the quotes of one source and instrument: the source's own time or counter; null if it gives none. */
  readonly order: bigint | null;
  /** The proof that the source said so, if it signs its quotes. */
  readonly signed?: SignedQuote;
}

/** One outside source. It reconnects automatically until stopped, and gives no quotes while it has none. */
export interface Feed {
  readonly name: string;
  start(listener: FeedListener): void;
  stop(): Promise<void>;
}

export interface FeedListener {
  quote(quote: RawQuote): void;
  /** Something arrived that isn't a message of the source's protocol. */
  malformed(): void;
  /**
   * Something was refused before it reached the composer. `quotes`: the quotes that it was about, as far as the feed
   * knows them; one of which only the symbol is known has no price.
   */
  refused(reason: Rejection, quotes?: readonly RawQuote[]): void;
}

/** Why a quote or a tick was rejected. */
export type Rejection =
  | "malformed"
  | "notANumber"
  | "negative"
  | "zero"
  | "crossed"
  | "outOfOrder"
  | "duplicate"
  | "jump"
  | "outlier"
  | "unknownInstrument"
  /** For signed quotes: faults of `PythFault`, a price that differs from the signed one, a wrong time, a confidence too wide. Bid and ask too far apart are `unsure`, too. */
  | Exclude<PythFault, "malformed">
  | "notInTree"
  | "notAsSigned"
  | "unsigned"
  | "old"
  | "ahead"
  | "unsure";

/** The most decimals that a quote may have. More than any instrument has, so that only the result is rounded. */
const QUOTE_PLACES = 12;
const WHOLE_DIGITS_MAX = 9;

export type ReadPrice =
  | { readonly ok: true; readonly price: Points }
  | { readonly ok: false; readonly reason: Rejection };

/**
 * Reads the mid of bid and ask, or the last price, in points. Computed exactly, then rounded once, half to even.
 *
 * @param widest how far apart bid and ask may be, as a part of their mid: the mid of a thin book says little about the
 *   price, so a wider quote is `unsure`; null for any distance
 */
export function readQuotePrice(quote: RawQuote, decimals: number, widest: Rate | null): ReadPrice {
  const sides = quote.bid !== undefined && quote.ask !== undefined ? [quote.bid, quote.ask] : [quote.last];
  const values: bigint[] = [];
  for (const text of sides) {
    const read = text === undefined ? null : parseDecimal(text, QUOTE_PLACES, WHOLE_DIGITS_MAX);
    if (read === null) return { ok: false, reason: /^-[0-9]/.test(text ?? "") ? "negative" : "notANumber" };
    if (read === 0n) return { ok: false, reason: "zero" };
    values.push(read);
  }
  const [bid = 0n, ask = bid] = values;
  if (bid > ask) return { ok: false, reason: "crossed" };
  if (widest !== null && (ask - bid) * 2n * RATE_ONE > (bid + ask) * widest) return { ok: false, reason: "unsure" };
  const price = divideHalfEven(bid + ask, 2n * 10n ** BigInt(QUOTE_PLACES - decimals));
  return price > 0n ? { ok: true, price: price as Points } : { ok: false, reason: "zero" };
}

import { divideHalfEven, parseDecimal, type Points } from "@fairtick/domain";
import type { PythFault, SignedQuote } from "@fairtick/transparency";

/** One thing an outside source said about an instrument, as it said it: prices are still text. */
export interface RawQuote {
  readonly symbol: string;
  /** Both, or `last` alone. */
  readonly bid?: string;
  readonly ask?: string;
  readonly last?: string;
  /** What orders the quotes of one source and instrument: its own time or counter; null where it gives none. */
  readonly order: bigint | null;
  /** The proof that the source said so, where it signs what it says. */
  readonly signed?: SignedQuote;
}

/** One outside source. It reconnects by itself until stopped, and says nothing while it knows nothing. */
export interface Feed {
  readonly name: string;
  start(listener: FeedListener): void;
  stop(): Promise<void>;
}

export interface FeedListener {
  quote(quote: RawQuote): void;
  /** Something came that is no message of the source's protocol. */
  malformed(): void;
  /** A quote was refused before it became one. */
  refused(reason: Rejection): void;
}

/** Why a quote or a tick was not taken. */
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
  /** Of signed quotes: what `PythFault` tells, a price beside the signed one, one of another time, a doubt too wide. */
  | Exclude<PythFault, "malformed">
  | "notInTree"
  | "notAsSigned"
  | "unsigned"
  | "old"
  | "ahead"
  | "unsure";

/** Digits that sources give at most; more than any instrument has, so that only the result is rounded. */
const QUOTE_PLACES = 12;
const WHOLE_DIGITS_MAX = 9;

export type ReadPrice =
  | { readonly ok: true; readonly price: Points }
  | { readonly ok: false; readonly reason: Rejection };

/** The mid of bid and ask, or the last price, in points: computed exactly, then rounded once, half to even. */
export function readQuotePrice(quote: RawQuote, decimals: number): ReadPrice {
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
  const price = divideHalfEven(bid + ask, 2n * 10n ** BigInt(QUOTE_PLACES - decimals));
  return price > 0n ? { ok: true, price: price as Points } : { ok: false, reason: "zero" };
}

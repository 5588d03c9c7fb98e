import {
  concatBytes,
  divideDown,
  equalBytes,
  merkleRoot,
  RATE_ONE,
  toHex,
  utf8,
  type Hashes,
  type Points,
  type Tick,
} from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import {
  isInPythTree,
  isSure,
  openVaa,
  parsePythPrice,
  pythPoints,
  type OpenedVaa,
  type PythLeaf,
  type PythSigners,
} from "./pyth-update.ts";

/**
 * What a tick was composed of, where a signed quote was among it. Each minute with such ticks has one line for every tick:
 * `seq` alone, or `seq,sources,hash`, the sources being `name=points` joined by `+`, by name, and the hash naming the
 * signed quote. The `ticks` entry holds the RFC 6962 root over these lines.
 */
export interface QuoteLine {
  readonly seq: bigint;
  /** Null: no signed quote had a say. */
  readonly quoted: { readonly sources: ReadonlyMap<string, Points>; readonly hash: Uint8Array } | null;
}

export interface SignedQuote extends PythLeaf {
  readonly vaa: Uint8Array;
}

/** What an honest house leaves out is further than this, in millionths, from the median: 0.2 % and 1 %, by the feed's `confMax`. */
const AGREEMENTS = { fx: 2_000n, crypto: 10_000n };
const FX_CONF_MAX = 1_000;

/** The source that signs its quotes. */
export const SIGNED_SOURCE = "pyth";
const QUOTE_PREFIX = utf8("QUOTE1\0");

/** SHA256("QUOTE1\0" || SHA256(VAA) || message) */
export function quoteHash(hashes: Hashes, { vaa, message }: SignedQuote): Uint8Array {
  return hashes.sha256(concatBytes(QUOTE_PREFIX, hashes.sha256(vaa), message));
}

export function sourcesText(sources: ReadonlyMap<string, Points>): string {
  const names = [...sources.keys()].sort();
  return names.map((name) => `${name}=${sources.get(name) ?? 0n}`).join("+");
}

/** `sources` and `hash` as they are stored; null: the tick has no signed quote. */
export function quoteLine(seq: bigint, quoted: { readonly sources: string; readonly hash: Uint8Array } | null): string {
  return quoted === null ? `${seq}` : `${seq},${quoted.sources},${toHex(quoted.hash)}`;
}

const LINE =
  /^(0|[1-9][0-9]{0,17})(?:,([a-z]{1,20}=[1-9][0-9]{0,17}(?:\+[a-z]{1,20}=[1-9][0-9]{0,17}){0,8}),([0-9a-f]{64}))?$/;

/** Null for a text that `quoteLine` does not write. */
export function parseQuoteLine(line: string): QuoteLine | null {
  const [, seq, text, hex] = LINE.exec(line) ?? [];
  if (seq === undefined) return null;
  if (text === undefined || hex === undefined) return { seq: BigInt(seq), quoted: null };
  const sources = new Map(
    text.split("+").map((part) => {
      const [name = "", points = "0"] = part.split("=");
      return [name, BigInt(points) as Points] as const;
    }),
  );
  if (sourcesText(sources) !== text) return null;
  const hash = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { seq: BigInt(seq), quoted: { sources, hash } };
}

/** How far a source may be from the median of the fresh ones to have a say, in millionths. */
export function quoteAgreement(confMax: number): bigint {
  return confMax <= FX_CONF_MAX ? AGREEMENTS.fx : AGREEMENTS.crypto;
}

/** How far apart tick and signed price may be, both being within the composer's agreement of the median of all fresh sources. */
function isFar(tick: Points, signed: Points, confMax: number): boolean {
  const [less, more] = tick < signed ? [tick, signed] : [signed, tick];
  return (more - less) * RATE_ONE > 2n * quoteAgreement(confMax) * more;
}

export function quotesRoot(hashes: Hashes, lines: readonly string[]): Uint8Array {
  return merkleRoot(
    hashes,
    lines.map((line) => utf8(line)),
  );
}

/** What a signed quote is held against. `open` may remember what it opened: one VAA serves many ticks. */
export interface QuoteRules {
  readonly params: LogEntryOf<"params.pyth">;
  readonly symbol: string;
  readonly open: (vaa: Uint8Array, signers: PythSigners) => OpenedVaa;
}

export function quoteRules(params: LogEntryOf<"params.pyth">, symbol: string): QuoteRules {
  return { params, symbol, open: openVaa };
}

/** What is wrong with a tick's quotes in English; null: the tick is their median, and Pyth's is signed, right and of its time. */
export function quoteFault(
  hashes: Hashes,
  rules: QuoteRules,
  tick: Tick,
  { sources, hash }: NonNullable<QuoteLine["quoted"]>,
  quote: SignedQuote,
): string | null {
  if (median([...sources.values()]) !== tick.price) return "the tick is not the median of its sources";
  if (!equalBytes(quoteHash(hashes, quote), hash)) return "another quote was kept for the tick";
  const { params, symbol } = rules;
  const opened = rules.open(quote.vaa, params);
  if (!opened.ok) return `the update's signatures do not hold: ${opened.fault}`;
  if (!isInPythTree(quote, opened.signed.root)) return "the price is not in the signed tree";
  const said = parsePythPrice(quote.message);
  const feed = params.feeds.get(symbol);
  if (said === null || feed === undefined || said.id !== toHex(feed.id)) return "the signed price is of something else";
  const signed = pythPoints(said, feed.digits);
  if (signed === null || signed !== sources.get(SIGNED_SOURCE)) return "the signed price is another";
  if (isFar(tick.price, signed, feed.confMax)) return "the signed price is too far from the tick";
  if (!isSure(said, BigInt(feed.confMax))) return "the signed price is too unsure";
  const age = tick.time - said.publishTime * 1000n;
  if (age > BigInt(params.ageMax) || age < -BigInt(params.aheadMax)) return "the signed price is of another time";
  return null;
}

/** What is wrong where prices come from signed quotes alone and one has none. */
export const UNSIGNED = "its only source signs every price, and this one is not signed";

/** What is wrong, in English, with a quote line under the source that the log names (`kraken+pyth`); null for nothing. */
export function sourceFault(stated: string | null, { quoted }: QuoteLine): string | null {
  if (stated === null) return null;
  if (quoted === null) return stated === SIGNED_SOURCE ? UNSIGNED : null;
  const named = stated.split("+");
  return [...quoted.sources.keys()].every((name) => named.includes(name))
    ? null
    : "it is made of a source that is not named";
}

/** Of an even number the mean of the two in the middle, rounded down, as the composer does. */
export function median(prices: readonly Points[]): Points | null {
  const sorted = prices.toSorted((left, right) => (left < right ? -1 : Number(left > right)));
  const middle = sorted[sorted.length >> 1];
  const below = sorted[(sorted.length - 1) >> 1];
  return middle === undefined || below === undefined ? null : (divideDown(below + middle, 2n) as Points);
}

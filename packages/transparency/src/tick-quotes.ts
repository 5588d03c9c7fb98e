import {
  concatBytes,
  divideDown,
  equalBytes,
  fromHex,
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
 * The composition of a tick. A minute with quotes has one line for every tick: `seq` alone (a simulated tick, or one of
 * an older log without a signed quote), `seq,sources`, or `seq,sources,hash` with the hash of the signed quote. The
 * sources are sorted by name and joined by `+`: `name=points` for each that counted, `name~points` for each that was
 * fresh but too far from the others. The `ticks` entry has the RFC 6962 root over these lines.
 */
export interface QuoteLine {
  readonly seq: bigint;
  /** Null if the line doesn't name the tick's sources. */
  readonly quoted: Quoted | null;
}

export interface Quoted {
  /** Sources that counted; the tick is their median. */
  readonly sources: ReadonlyMap<string, Points>;
  /** Sources that were fresh but didn't count, being too far from the median of all. */
  readonly leftOut: ReadonlyMap<string, Points>;
  /** Hash of the signed quote among those that counted; null if there is none. */
  readonly hash: Uint8Array | null;
}

export interface SignedQuote extends PythLeaf {
  readonly vaa: Uint8Array;
}

/** How far from the median a source may be and still count, in millionths: 0.2 % or 1 %, by the feed's `confMax`. */
const AGREEMENTS = { fx: 2_000n, crypto: 10_000n };
const FX_CONF_MAX = 1_000;

/** The source that signs its quotes. */
export const SIGNED_SOURCE = "pyth";
const QUOTE_PREFIX = utf8("QUOTE1\0");

/** Calculates a signed quote's hash: SHA256("QUOTE1\0" || SHA256(VAA) || message). */
export function quoteHash(hashes: Hashes, { vaa, message }: SignedQuote): Uint8Array {
  return hashes.sha256(concatBytes(QUOTE_PREFIX, hashes.sha256(vaa), message));
}

/** Formats both lists, sorted together by name, as the `sources` of a quote line. */
export function sourcesText(
  sources: ReadonlyMap<string, Points>,
  leftOut: ReadonlyMap<string, Points> = new Map(),
): string {
  const told = [...sources].map(([name, points]) => ({ name, text: `${name}=${points}` }));
  const others = [...leftOut].map(([name, points]) => ({ name, text: `${name}~${points}` }));
  const all = [...told, ...others].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return all.map(({ text }) => text).join("+");
}

/**
 * Formats a quote line. `quoted`: the tick's `sources` text and `hash` as stored; null if its sources are not named.
 */
export function quoteLine(
  seq: bigint,
  quoted: { readonly sources: string; readonly hash: Uint8Array | null } | null,
): string {
  if (quoted === null) return `${seq}`;
  return quoted.hash === null ? `${seq},${quoted.sources}` : `${seq},${quoted.sources},${toHex(quoted.hash)}`;
}

const LINE =
  /^(0|[1-9][0-9]{0,17})(?:,([a-z]{1,20}[=~][1-9][0-9]{0,17}(?:\+[a-z]{1,20}[=~][1-9][0-9]{0,17}){0,8})(?:,([0-9a-f]{64}))?)?$/;

/** Parses a quote line; null for any text that `quoteLine` does not write. */
export function parseQuoteLine(line: string): QuoteLine | null {
  const [, seq, text, hex] = LINE.exec(line) ?? [];
  if (seq === undefined) return null;
  if (text === undefined) return { seq: BigInt(seq), quoted: null };
  const sources = new Map<string, Points>();
  const leftOut = new Map<string, Points>();
  for (const part of text.split("+")) {
    const [name = "", points = "0"] = part.split(/[=~]/);
    (part.includes("=") ? sources : leftOut).set(name, BigInt(points) as Points);
  }
  if (sourcesText(sources, leftOut) !== text) return null;
  return { seq: BigInt(seq), quoted: { sources, leftOut, hash: hex === undefined ? null : fromHex(hex) } };
}

/** Returns how far a source may be from the median of the fresh ones and still count, in millionths. */
export function quoteAgreement(confMax: number): bigint {
  return confMax <= FX_CONF_MAX ? AGREEMENTS.fx : AGREEMENTS.crypto;
}

/**
 * Returns whether tick and signed price are further apart than two prices can be that both agree with the same median.
 */
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

/** What a signed quote is checked against. `open` may cache its results, since one VAA serves many ticks. */
export interface QuoteRules {
  readonly params: LogEntryOf<"params.pyth">;
  readonly symbol: string;
  readonly open: (vaa: Uint8Array, signers: PythSigners) => OpenedVaa;
}

export function quoteRules(params: LogEntryOf<"params.pyth">, symbol: string): QuoteRules {
  return { params, symbol, open: openVaa };
}

/** Returns what is wrong with a tick's signed quote, in English; null if it is signed, right and of the tick's time. */
export function quoteFault(
  hashes: Hashes,
  rules: QuoteRules,
  tick: Tick,
  { sources, hash }: Quoted,
  quote: SignedQuote,
): string | null {
  if (hash === null || !equalBytes(quoteHash(hashes, quote), hash)) return "another quote was kept for the tick";
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

/**
 * Returns what is wrong with a tick's composition, in English; null if it is the median of the sources that counted,
 * and none was left out that had to count.
 */
export function compositionFault(tick: Tick, { sources, leftOut, hash }: Quoted): string | null {
  if (median([...sources.values()]) !== tick.price) return "the tick is not the median of its sources";
  if (hash === null && sources.has(SIGNED_SOURCE)) return "the signed quote among its sources is left out";
  const middle = median([...sources.values(), ...leftOut.values()]) ?? tick.price;
  const isOff = (points: Points, part: bigint) =>
    (points > middle ? points - middle : middle - points) * RATE_ONE > middle * part;
  if ([...leftOut.values()].some((points) => !isOff(points, AGREEMENTS.fx))) return "a source that agreed had no say";
  if ([...sources.values()].some((points) => isOff(points, 2n * AGREEMENTS.crypto)))
    return "a source that is far off had a say";
  return null;
}

/** The fault of a price without a signed quote when all prices come from signed quotes. */
export const UNSIGNED = "its only source signs every price, and this one is not signed";

/**
 * Returns how a quote line contradicts the source that the log names (`kraken+pyth`), in English; null for not at all.
 */
export function sourceFault(stated: string | null, { quoted }: QuoteLine): string | null {
  if (stated === null) return null;
  if (quoted === null) return stated === SIGNED_SOURCE ? UNSIGNED : null;
  if (stated === SIGNED_SOURCE && quoted.hash === null) return UNSIGNED;
  const named = stated.split("+");
  return [...quoted.sources.keys(), ...quoted.leftOut.keys()].every((name) => named.includes(name))
    ? null
    : "it is made of a source that is not named";
}

/**
 * Calculates the median; of an even number of prices, the mean of the middle two, rounded down as the composer does.
 */
export function median(prices: readonly Points[]): Points | null {
  const sorted = prices.toSorted((left, right) => (left < right ? -1 : Number(left > right)));
  const middle = sorted[sorted.length >> 1];
  const below = sorted[(sorted.length - 1) >> 1];
  return middle === undefined || below === undefined ? null : (divideDown(below + middle, 2n) as Points);
}

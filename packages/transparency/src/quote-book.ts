import { canonicalJson, equalBytes, toHex, type Hashes, type Tick } from "@fairtick/domain";
import { type LogEntryOf, SIMULATED } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import { openVaa, type OpenedVaa, parsePythPrice, type PythSigners } from "./pyth-update.ts";
import { backMaxOf, createQuoteOrder } from "./quote-order.ts";
import { base64, count, listOf, nullOr, parseCanonical, record, ShapeError, text, type Read } from "./shape.ts";
import type { SourceLedger } from "./source-ledger.ts";
import {
  compositionFault,
  parseQuoteLine,
  quoteFault,
  quotesRoot,
  type Quoted,
  SIGNED_SOURCE,
  sourceFault,
  UNSIGNED,
  type QuoteRules,
} from "./tick-quotes.ts";
import type { LogReader } from "./tile-tree.ts";

/**
 * Contents of the file `quotes/<symbol>/<minute>`: the minute's quote lines, for each line the index of its quote in
 * `quotes` (null if it has none), and for each quote the index of its VAA in `vaas`.
 */
const minuteQuotes = record({
  lines: listOf(text, 10_000),
  places: listOf(nullOr(count), 10_000),
  quotes: listOf(record({ branch: base64, message: base64, vaa: count }), 10_000),
  vaas: listOf(base64, 10_000),
});
export type MinuteQuotes = Read<typeof minuteQuotes>;

/** Formats the file as canonical JSON. */
export function formatMinuteQuotes(held: {
  readonly lines: readonly string[];
  readonly places: readonly (number | null)[];
  readonly quotes: readonly { readonly branch: string; readonly message: string; readonly vaa: number }[];
  readonly vaas: readonly string[];
}): string {
  const { lines, places, quotes, vaas } = held;
  return canonicalJson({ lines, places, quotes, vaas });
}

export function parseMinuteQuotes(bytes: Uint8Array): MinuteQuotes | null {
  try {
    return minuteQuotes(parseCanonical(bytes), "quotes");
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** Checks the composition of ticks from outside sources, and the guardians' signatures of signed quotes. */
export interface QuoteBook {
  params(index: number, entry: LogEntryOf<"params.pyth">, latest: bigint): void;
  /** Checks a minute, after its prices were verified and added to the price book. */
  add(index: number, entry: LogEntryOf<"ticks">): Promise<void>;
  /** Returns the number of ticks whose signed quote was examined. */
  count(): number;
  /** Adds notes on the log as a whole. */
  end(): void;
}

/** The most opened VAAs that are cached. Instruments share the VAAs of the same moment. */
const REMEMBERED = 4_096;

export function createQuoteBook(
  hashes: Hashes,
  reader: LogReader,
  report: Report,
  book: PriceBook,
  sources: SourceLedger,
): QuoteBook {
  return new LoggedQuotes(hashes, reader, report, book, sources);
}

class LoggedQuotes implements QuoteBook {
  readonly #hashes: Hashes;
  readonly #reader: LogReader;
  readonly #report: Report;
  readonly #book: PriceBook;
  readonly #sources: SourceLedger;
  readonly #pinned: LogEntryOf<"params.pyth">[] = [];
  readonly #opened = new Map<string, OpenedVaa>();
  readonly #open = (vaa: Uint8Array, signers: PythSigners): OpenedVaa => {
    const name = `${this.#pinned.length} ${toHex(this.#hashes.sha256(vaa))}`;
    const known = this.#opened.get(name) ?? openVaa(vaa, signers);
    if (this.#opened.size >= REMEMBERED) this.#opened.clear();
    this.#opened.set(name, known);
    return known;
  };
  readonly #order = createQuoteOrder();
  #counted = 0;
  /**
   * Symbols with a minute in which every outside tick named its quotes. From then on, each of their outside ticks must.
   */
  readonly #telling = new Set<string>();
  readonly #told = new Map<string, { composed: number; unsigned: number }>();

  constructor(hashes: Hashes, reader: LogReader, report: Report, book: PriceBook, sources: SourceLedger) {
    this.#hashes = hashes;
    this.#reader = reader;
    this.#report = report;
    this.#book = book;
    this.#sources = sources;
  }

  params(index: number, entry: LogEntryOf<"params.pyth">, latest: bigint): void {
    const before = this.#pinned.at(-1);
    if (before !== undefined && entry.since <= before.since) {
      this.#fault(index, "who must sign is named for a time that was over");
      return;
    }
    if (latest > entry.since + 60_000n) this.#fault(index, "who must sign is named after the fact");
    this.#pinned.push(entry);
    this.#opened.clear();
    const back = backMaxOf(entry);
    if (back > 0) noteAt(this.#report, "quotes", index, `signed quotes may go back by up to ${back} ms`);
  }

  async add(index: number, entry: LogEntryOf<"ticks">): Promise<void> {
    const { quotes, symbol } = entry;
    const ticks = this.#book.ticks(symbol).slice(-entry.count);
    if (quotes === undefined) {
      this.#checkBare(index, symbol, ticks);
      return;
    }
    const held = await this.#readMinute(index, entry, quotes);
    if (held === null) return;
    for (const [place, tick] of ticks.entries()) {
      const fault = this.#faultOf(symbol, held, place, tick);
      if (fault !== null) this.#fault(index, `${symbol} tick ${tick.seq}: ${fault}`);
    }
    const outside = ticks.filter((tick) => this.#isOutside(symbol, tick));
    if (outside.length > 0 && outside.every((tick) => tells(held, Number(tick.seq) - entry.from)))
      this.#telling.add(symbol);
  }

  count(): number {
    return this.#counted;
  }

  end(): void {
    for (const [symbol, { composed, unsigned }] of this.#told) {
      if (unsigned === 0) continue;
      const what = `${symbol}: ${unsigned} of ${composed} ticks lack the signed quote of their sources`;
      noteAt(this.#report, "quotes", null, what);
    }
  }

  /** Checks the ticks of a minute that has no quote lines. */
  #checkBare(index: number, symbol: string, ticks: readonly Tick[]): void {
    const untold = ticks.find((tick) => this.#untoldFault(symbol, tick) !== null);
    if (untold) this.#fault(index, `${symbol} tick ${untold.seq}: what it is made of is left out`);
    const unsigned = ticks.find(({ time }) => this.#sources.at(symbol, time)?.source === SIGNED_SOURCE);
    if (unsigned) this.#fault(index, `${symbol} tick ${unsigned.seq}: ${UNSIGNED}`);
  }

  async #readMinute(index: number, entry: LogEntryOf<"ticks">, root: Uint8Array): Promise<MinuteQuotes | null> {
    const path = `quotes/${entry.symbol}/${entry.time}`;
    const bytes = await this.#reader.read(path);
    const held = bytes === null ? null : parseMinuteQuotes(bytes);
    if (held === null) {
      this.#fault(index, `${path} is ${bytes === null ? "not served" : "malformed"}`);
      return null;
    }
    if (
      held.lines.length === entry.count &&
      held.places.length === entry.count &&
      equalBytes(quotesRoot(this.#hashes, held.lines), root)
    ) {
      return held;
    }
    this.#fault(index, `${path} is not what its entry hashes`);
    return null;
  }

  /** Returns what is wrong with the tick's line, in English; null for nothing. */
  #faultOf(symbol: string, held: MinuteQuotes, place: number, tick: Tick): string | null {
    const line = parseQuoteLine(held.lines[place] ?? "");
    if (line === null || line.seq !== tick.seq) return "its quote line is another's";
    const unnamed = sourceFault(this.#sources.at(symbol, tick.time)?.source ?? null, line);
    if (unnamed !== null) return unnamed;
    if (line.quoted === null) return this.#untoldFault(symbol, tick);
    this.#countTold(symbol, tick, line.quoted);
    return this.#signedFault(symbol, held, place, tick, line.quoted) ?? compositionFault(tick, line.quoted);
  }

  /** Returns what is wrong with the signed quote, in English; null for nothing or if the line names none. */
  #signedFault(symbol: string, held: MinuteQuotes, place: number, tick: Tick, quoted: Quoted): string | null {
    if (quoted.hash === null) return null;
    const quote = held.quotes[held.places[place] ?? -1];
    const vaa = held.vaas[quote?.vaa ?? -1];
    const params = this.#pinned.findLast((each) => each.since <= tick.time);
    if (quote === undefined || vaa === undefined) return "its signed quote is not served";
    if (params === undefined) return "nobody was named who must sign";
    const rules: QuoteRules = { params, symbol, open: this.#open };
    this.#counted += 1;
    const fault = quoteFault(this.#hashes, rules, tick, quoted, { ...quote, vaa });
    if (fault !== null) return fault;
    const opened = this.#open(vaa, params);
    const said = parsePythPrice(quote.message);
    if (!opened.ok || said === null) return null;
    return this.#order.faultOf(symbol, { publishTime: said.publishTime, slot: opened.signed.slot }, params);
  }

  #isOutside(symbol: string, { time }: Tick): boolean {
    const stated = this.#sources.at(symbol, time)?.source ?? null;
    return stated !== null && stated !== SIMULATED;
  }

  #untoldFault(symbol: string, tick: Tick): string | null {
    return this.#telling.has(symbol) && this.#isOutside(symbol, tick) ? "what it is made of is left out" : null;
  }

  /** Counts a tick that names its quotes, if one of its sources signs quotes. */
  #countTold(symbol: string, { time }: Tick, quoted: Quoted): void {
    const signs = this.#sources.at(symbol, time)?.source.split("+").includes(SIGNED_SOURCE) === true;
    if (!signs) return;
    const sum = this.#told.get(symbol) ?? { composed: 0, unsigned: 0 };
    sum.composed += 1;
    if (quoted.hash === null) sum.unsigned += 1;
    this.#told.set(symbol, sum);
  }

  #fault(index: number, what: string): void {
    faultAt(this.#report, "quotes", index, what);
  }
}

/** Returns whether the minute's line at that place names the quotes that its tick is made of. */
function tells({ lines }: MinuteQuotes, place: number): boolean {
  return (parseQuoteLine(lines[place] ?? "")?.quoted ?? null) !== null;
}

import { canonicalJson, equalBytes, toHex, type Hashes, type Tick } from "@fairtick/domain";
import { type LogEntryOf, SIMULATED } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import { openVaa, type OpenedVaa, type PythSigners } from "./pyth-update.ts";
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
 * `quotes/<symbol>/<minute>`: the minute's quote lines, of each the place of its quote among `quotes` (null without one), and
 * of each quote the place of its VAA among `vaas`.
 */
const minuteQuotes = record({
  lines: listOf(text, 10_000),
  places: listOf(nullOr(count), 10_000),
  quotes: listOf(record({ branch: base64, message: base64, vaa: count }), 10_000),
  vaas: listOf(base64, 10_000),
});
export type MinuteQuotes = Read<typeof minuteQuotes>;

/** The file's text. */
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

/** What all ticks from outside were composed of, signed quotes held against who must have signed. */
export interface QuoteBook {
  params(index: number, entry: LogEntryOf<"params.pyth">, latest: bigint): void;
  /** Of a minute whose prices hold. */
  add(index: number, entry: LogEntryOf<"ticks">): Promise<void>;
  /** Ticks whose signed quote was examined. */
  count(): number;
  /** Notes what the whole log lacks. */
  end(): void;
}

/** Opened VAAs that are remembered: instruments share those of one moment. */
const REMEMBERED = 4_096;

export function createQuoteBook(
  hashes: Hashes,
  reader: LogReader,
  report: Report,
  book: PriceBook,
  sources: SourceLedger,
): QuoteBook {
  const pinned: LogEntryOf<"params.pyth">[] = [];
  const opened = new Map<string, OpenedVaa>();
  let counted = 0;
  /** From a minute on in which every tick from outside told what it is made of, each has to. */
  const telling = new Set<string>();
  const told = new Map<string, { composed: number; unsigned: number }>();

  function open(vaa: Uint8Array, signers: PythSigners): OpenedVaa {
    const name = `${pinned.length} ${toHex(hashes.sha256(vaa))}`;
    const known = opened.get(name) ?? openVaa(vaa, signers);
    if (opened.size >= REMEMBERED) opened.clear();
    opened.set(name, known);
    return known;
  }

  async function readMinute(index: number, entry: LogEntryOf<"ticks">, root: Uint8Array): Promise<MinuteQuotes | null> {
    const path = `quotes/${entry.symbol}/${entry.time}`;
    const bytes = await reader.read(path);
    const held = bytes === null ? null : parseMinuteQuotes(bytes);
    if (held === null) {
      faultAt(report, "quotes", index, `${path} is ${bytes === null ? "not served" : "malformed"}`);
      return null;
    }
    if (
      held.lines.length === entry.count &&
      held.places.length === entry.count &&
      equalBytes(quotesRoot(hashes, held.lines), root)
    ) {
      return held;
    }
    faultAt(report, "quotes", index, `${path} is not what its entry hashes`);
    return null;
  }

  /** In English; null: nothing is wrong with the tick's line. */
  function faultOf(entry: LogEntryOf<"ticks">, held: MinuteQuotes, place: number, tick: Tick): string | null {
    const line = parseQuoteLine(held.lines[place] ?? "");
    if (line === null || line.seq !== tick.seq) return "its quote line is another's";
    const unnamed = sourceFault(sources.at(entry.symbol, tick.time)?.source ?? null, line);
    if (unnamed !== null) return unnamed;
    if (line.quoted === null) return untoldFault(entry.symbol, tick);
    count(entry.symbol, tick, line.quoted);
    return signedFault(entry, held, place, tick, line.quoted) ?? compositionFault(tick, line.quoted);
  }

  /** What is wrong with the signed quote, if the line names one. */
  function signedFault(
    entry: LogEntryOf<"ticks">,
    held: MinuteQuotes,
    place: number,
    tick: Tick,
    quoted: Quoted,
  ): string | null {
    if (quoted.hash === null) return null;
    const quote = held.quotes[held.places[place] ?? -1];
    const vaa = held.vaas[quote?.vaa ?? -1];
    const params = pinned.findLast((each) => each.since <= tick.time);
    if (quote === undefined || vaa === undefined) return "its signed quote is not served";
    if (params === undefined) return "nobody was named who must sign";
    const rules: QuoteRules = { params, symbol: entry.symbol, open };
    counted += 1;
    return quoteFault(hashes, rules, tick, quoted, { ...quote, vaa });
  }

  function isOutside(symbol: string, { time }: Tick): boolean {
    const stated = sources.at(symbol, time)?.source ?? null;
    return stated !== null && stated !== SIMULATED;
  }

  function untoldFault(symbol: string, tick: Tick): string | null {
    return telling.has(symbol) && isOutside(symbol, tick) ? "what it is made of is left out" : null;
  }

  function count(symbol: string, { time }: Tick, quoted: Quoted): void {
    const signs = sources.at(symbol, time)?.source.split("+").includes(SIGNED_SOURCE) === true;
    if (!signs) return;
    const sum = told.get(symbol) ?? { composed: 0, unsigned: 0 };
    sum.composed += 1;
    if (quoted.hash === null) sum.unsigned += 1;
    told.set(symbol, sum);
  }

  return {
    params(index, entry, latest) {
      const before = pinned.at(-1);
      if (before !== undefined && entry.since <= before.since) {
        faultAt(report, "quotes", index, "who must sign is named for a time that was over");
        return;
      }
      if (latest > entry.since + 60_000n) faultAt(report, "quotes", index, "who must sign is named after the fact");
      pinned.push(entry);
      opened.clear();
    },
    async add(index, entry) {
      const { quotes } = entry;
      if (quotes === undefined) {
        const bare = book.ticks(entry.symbol).slice(-entry.count);
        const untold = bare.find((tick) => untoldFault(entry.symbol, tick) !== null);
        if (untold)
          faultAt(report, "quotes", index, `${entry.symbol} tick ${untold.seq}: what it is made of is left out`);
        const unsigned = bare.find(({ time }) => sources.at(entry.symbol, time)?.source === SIGNED_SOURCE);
        if (unsigned) faultAt(report, "quotes", index, `${entry.symbol} tick ${unsigned.seq}: ${UNSIGNED}`);
        return;
      }
      const held = await readMinute(index, entry, quotes);
      if (held === null) return;
      const ticks = book.ticks(entry.symbol).slice(-entry.count);
      for (const [place, tick] of ticks.entries()) {
        const fault = faultOf(entry, held, place, tick);
        if (fault !== null) faultAt(report, "quotes", index, `${entry.symbol} tick ${tick.seq}: ${fault}`);
      }
      const outside = ticks.filter((tick) => isOutside(entry.symbol, tick));
      const tells = (tick: Tick) => {
        const place = Number(tick.seq) - entry.from;
        return (parseQuoteLine(held.lines[place] ?? "")?.quoted ?? null) !== null;
      };
      if (outside.length > 0 && outside.every(tells)) telling.add(entry.symbol);
    },
    count: () => counted,
    end() {
      for (const [symbol, { composed, unsigned }] of told) {
        if (unsigned === 0) continue;
        noteAt(
          report,
          "quotes",
          null,
          `${symbol}: ${unsigned} of ${composed} ticks lack the signed quote of their sources`,
        );
      }
    },
  };
}

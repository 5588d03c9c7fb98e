import type { Instant, Tick } from "@fairtick/domain";
import { formatMinuteQuotes, quoteLine, type SignedQuote } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import type { PriceArchive } from "../price-archive/index.ts";

const MINUTE_MS = 60_000n;

/** The quotes that a tick was made of. The columns of the signed quote are null if no signed quote was used. */
interface QuoteRow {
  readonly seq: bigint;
  readonly sources: string;
  readonly hash: Uint8Array | null;
  readonly message: Uint8Array | null;
  readonly branch: Uint8Array | null;
  readonly vaa: Uint8Array | null;
}

interface Quoted extends SignedQuote {
  readonly hash: Uint8Array;
}

function signedOf(row: QuoteRow | undefined): Quoted | null {
  const { hash, message, branch, vaa } = row ?? {};
  return hash && message && branch && vaa ? { hash, message, branch, vaa } : null;
}

/** Reads what is stored about the sources of a minute's ticks, by the tick's number. */
async function readQuotes(database: Queryable, symbol: string, time: bigint): Promise<Map<bigint, QuoteRow>> {
  const rows = await database.query<QuoteRow>(
    `SELECT t.seq, t.sources, q.hash, q.message, q.branch, u.vaa
     FROM tick_quotes t LEFT JOIN pyth_quotes q ON q.hash = t.quote_hash LEFT JOIN pyth_updates u ON u.hash = q.update_hash
     WHERE t.symbol = $1 AND t.time >= $2 AND t.time < $3 ORDER BY t.time`,
    [symbol, time, time + MINUTE_MS],
    "log_quotes",
  );
  return new Map(rows.map((row) => [row.seq, row]));
}

/** Makes a line for each of a minute's ticks; null if no tick's sources are stored. */
export async function readQuoteLines(
  database: Queryable,
  symbol: string,
  time: bigint,
  ticks: readonly { readonly seq: bigint }[],
): Promise<string[] | null> {
  const quotes = await readQuotes(database, symbol, time);
  return quotes.size === 0 ? null : ticks.map(({ seq }) => quoteLine(seq, quotes.get(seq) ?? null));
}

async function loggedTicks(
  database: Queryable,
  archive: PriceArchive,
  symbol: string,
  time: Instant,
): Promise<{ readonly seq: bigint }[]> {
  const ticks = await database.query<{ seq: bigint }>(
    `SELECT t.seq FROM ticks t JOIN price_minutes m ON m.symbol = t.symbol AND m.time = $2
     WHERE t.symbol = $1 AND t.time >= $2 AND t.time < $3 AND NOT t.pre_genesis ORDER BY t.time`,
    [symbol, time, time + MINUTE_MS],
    "log_quoted_ticks",
  );
  return ticks.length > 0 ? ticks : archive.between(symbol, time, (time + MINUTE_MS - 1n) as Instant);
}

/** Returns the page `quotes/<symbol>/<minute>`; null if no sources are stored or the minute has no entry yet. */
export async function minuteQuotes(
  database: Queryable,
  archive: PriceArchive,
  symbol: string,
  time: Instant,
): Promise<string | null> {
  if (time % MINUTE_MS !== 0n) return null;
  const quotes = await readQuotes(database, symbol, time);
  const ticks = quotes.size === 0 ? [] : await loggedTicks(database, archive, symbol, time);
  if (ticks.length === 0) return null;
  const vaas: string[] = [];
  const held: { branch: string; message: string; vaa: number }[] = [];
  const placeOf = new Map<string, number>();
  const places = ticks.map(({ seq }) => {
    const quote = signedOf(quotes.get(seq));
    if (quote === null) return null;
    const name = base64(quote.hash);
    const known = placeOf.get(name);
    if (known !== undefined) return known;
    const vaa = base64(quote.vaa);
    if (!vaas.includes(vaa)) vaas.push(vaa);
    held.push({ branch: base64(quote.branch), message: base64(quote.message), vaa: vaas.indexOf(vaa) });
    placeOf.set(name, held.length - 1);
    return held.length - 1;
  });
  const lines = ticks.map(({ seq }) => quoteLine(seq, quotes.get(seq) ?? null));
  return formatMinuteQuotes({ lines, places, quotes: held, vaas });
}

export interface ShownTickQuote {
  readonly line: string;
  /** The lines of the tick's minute. */
  readonly lines: readonly string[];
  readonly place: number;
  readonly quote: { readonly branch: string; readonly message: string; readonly vaa: string } | null;
}

/** Returns a tick's sources as a receipt shows them; null if none are stored or the minute has no entry yet. */
export async function tickQuote(
  database: Queryable,
  archive: PriceArchive,
  symbol: string,
  tick: Tick,
): Promise<ShownTickQuote | null> {
  const minute = ((tick.time / MINUTE_MS) * MINUTE_MS) as Instant;
  const quotes = await readQuotes(database, symbol, minute);
  const ticks = quotes.size === 0 ? [] : await loggedTicks(database, archive, symbol, minute);
  const place = ticks.findIndex(({ seq }) => seq === tick.seq);
  if (place < 0) return null;
  const lines = ticks.map(({ seq }) => quoteLine(seq, quotes.get(seq) ?? null));
  const found = signedOf(quotes.get(tick.seq));
  const quote = found && {
    branch: base64(found.branch),
    message: base64(found.message),
    vaa: base64(found.vaa),
  };
  return { line: lines[place] ?? "", lines, place, quote };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

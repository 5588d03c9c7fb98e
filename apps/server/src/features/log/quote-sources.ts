import type { Instant, Tick } from "@fairtick/domain";
import { formatMinuteQuotes, quoteLine } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { type PriceArchive, readQuoteRows, shareMinute, type ToldTicks, toldTicks } from "../price-archive/index.ts";

const MINUTE_MS = 60_000n;

/** Makes a line for each of a minute's ticks; null if no tick's sources are stored. */
export async function readQuoteLines(
  database: Queryable,
  symbol: string,
  time: bigint,
  ticks: readonly { readonly seq: bigint }[],
): Promise<string[] | null> {
  const quotes = await readQuoteRows(database, symbol, time);
  return quotes.size === 0 ? null : ticks.map(({ seq }) => quoteLine(seq, quotes.get(seq) ?? null));
}

/** Reads the quotes of a logged minute's ticks, from the tables or, for old minutes, from files. Null if none are stored. */
async function readTold(
  database: Queryable,
  archive: PriceArchive,
  symbol: string,
  time: Instant,
): Promise<ToldTicks | null> {
  const rows = await readQuoteRows(database, symbol, time);
  if (rows.size === 0) return archive.quotes(symbol, time);
  const ticks = await loggedTicks(database, archive, symbol, time);
  return ticks.length === 0
    ? null
    : toldTicks(
        ticks.map(({ seq }) => seq),
        rows,
      );
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
  const told = await readTold(database, archive, symbol, time);
  if (told === null) return null;
  const { symbols, quotes, vaas } = shareMinute(new Map([[symbol, told]]));
  const { lines = [], places = [] } = symbols[symbol] ?? {};
  return formatMinuteQuotes({ lines, places, quotes, vaas });
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
  const told = (await readTold(database, archive, symbol, minute)) ?? [];
  const place = told.findIndex(({ line }) => line.split(",")[0] === String(tick.seq));
  const found = told[place];
  return found === undefined ? null : { ...found, lines: told.map(({ line }) => line), place };
}

import { type Instant, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { quotesRoot } from "@fairtick/transparency";
import type { Context } from "../../platform/context.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import type { PriceFiles } from "./export-ticks.ts";
import { openPriceArchive, type PriceArchive, readPriceFile } from "./price-archive.ts";
import { type FileMinute, parseLines, priceFilePath, readLines } from "./price-file.ts";
import { makeQuoteFile, type SharedMinute, shareMinute, ticksIn, type ToldTicks } from "./quote-file.ts";
import { readQuoteRows, toldTicks } from "./quote-rows.ts";

const MINUTE_MS = 60_000n;
const HOUR_MS = 60n * MINUTE_MS;
const HOURS = 24n;

interface NamedRow {
  readonly hash: Uint8Array;
  readonly minutes: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Moves the quotes behind filed days' ticks into files as well, and then drops them from the tables, since they take
 * many times the ticks' space. Each step is durable before the next one begins and can be repeated, as for the ticks
 * themselves. Quotes that the log's roots don't prove stay in the tables. Returns the days that are only in files from
 * now on.
 */
export async function exportOldQuotes(
  context: Pick<Context, "databases" | "log">,
  files: PriceFiles,
): Promise<number[]> {
  const jobs = context.databases.jobs;
  const rows = await jobs.query<{ day: bigint }>(
    `SELECT f.day FROM filed_days f JOIN pg_inherits i ON i.inhparent = 'tick_quotes'::regclass
       AND i.inhrelid = to_regclass('tick_quotes_' || f.day) ORDER BY f.day`,
  );
  const done: number[] = [];
  for (const day of rows.map((row) => Number(row.day))) {
    try {
      for (let hour = BigInt(day) * HOURS; hour < BigInt(day + 1) * HOURS; hour += 1n)
        await fileHour(jobs, files, hour);
      crashPoint("quotes.proven");
      const [row] = await jobs.query<{ against: string | null }>("SELECT drop_filed_quotes($1) AS against", [day]);
      const against = row?.against ?? null;
      if (against === null) done.push(day);
      else context.log.info({ day, against }, "old quotes stay in their tables");
    } catch (error) {
      context.log.error({ err: error, day }, "old quotes stay in their tables; the next round tries again");
    }
  }
  return done;
}

/**
 * Writes an hour's file if it is missing, and proves by the log that it has everything that the tables have about the
 * hour.
 */
async function fileHour(jobs: Queryable, files: PriceFiles, hour: bigint): Promise<void> {
  const known = await namedFile(jobs, hour);
  if (known === undefined || (await files.read(priceFilePath(known.hash))) === null) {
    const { minutes, ticks } = await readHour(jobs, openPriceArchive(jobs, files), hour);
    if (ticks === 0) return;
    const file = await makeQuoteFile(minutes);
    await files.store([{ path: priceFilePath(file.hash), bytes: file.bytes }]);
    crashPoint("quotes.stored");
    await jobs.query(
      `INSERT INTO quote_files (hour, hash, ticks, minutes, ends) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (hour) DO NOTHING`,
      [hour, file.hash, ticks, file.minutes, file.ends],
    );
    crashPoint("quotes.named");
  }
  await proveHour(jobs, files, hour);
}

/** Reads the hour's minutes and the number of their ticks. */
async function readHour(
  jobs: Queryable,
  archive: PriceArchive,
  hour: bigint,
): Promise<{ readonly minutes: FileMinute[]; readonly ticks: number }> {
  const symbols = await pricedSymbols(jobs, hour);
  const minutes: FileMinute[] = [];
  let ticks = 0;
  for (let minute = 0; minute < 60; minute += 1) {
    const time = (hour * HOUR_MS + BigInt(minute) * MINUTE_MS) as Instant;
    const held = new Map<string, ToldTicks>();
    for (const symbol of symbols) {
      const rows = await readQuoteRows(jobs, symbol, time);
      if (rows.size === 0) continue;
      const lines = await archive.minute(symbol, time);
      if (lines === null) throw new Error(`the ticks of ${symbol} at ${time} are in no file`);
      held.set(
        symbol,
        toldTicks(
          parseLines(lines).map(({ seq }) => seq),
          rows,
        ),
      );
      ticks += rows.size;
    }
    if (held.size > 0) minutes.push({ minute, lines: JSON.stringify(shareMinute(held)) });
  }
  return { minutes, ticks };
}

/**
 * Reads an hour's file back from the disk. Throws unless the lines of each minute give the root that the log has of it.
 */
async function proveHour(jobs: Queryable, files: PriceFiles, hour: bigint): Promise<void> {
  const named = await namedFile(jobs, hour);
  if (named === undefined) throw new Error(`hour ${hour} is in no file`);
  const bytes = await readPriceFile(files, named.hash);
  for (const [place, minute] of named.minutes.entries()) {
    const time = hour * HOUR_MS + BigInt(minute) * MINUTE_MS;
    const shared = JSON.parse(await readLines({ ...named, bytes }, place)) as SharedMinute;
    for (const symbol of Object.keys(shared.symbols)) {
      const lines = (ticksIn(shared, symbol) ?? []).map(({ line }) => line);
      const root = toHex(quotesRoot(nodeHashes, lines));
      if ((await loggedRoot(jobs, symbol, time)) !== root)
        throw new Error(`what the ticks of ${symbol} at ${time} were made of is not what the log says`);
    }
  }
}

async function loggedRoot(jobs: Queryable, symbol: string, time: bigint): Promise<string | undefined> {
  const [row] = await jobs.query<{ entry: string }>(
    `SELECT o.entry FROM log_entries l JOIN outbox o USING (outbox_id)
     WHERE l.kind = 'ticks' AND l.about = $1 AND l.number = $2 LIMIT 1`,
    [symbol, time],
    "quotes_logged_root",
  );
  return /"quotes":"([0-9a-f]{64})"/.exec(row?.entry ?? "")?.[1];
}

async function namedFile(jobs: Queryable, hour: bigint): Promise<NamedRow | undefined> {
  const [row] = await jobs.query<NamedRow>("SELECT hash, minutes, ends FROM quote_files WHERE hour = $1", [hour]);
  return row;
}

async function pricedSymbols(jobs: Queryable, hour: bigint): Promise<string[]> {
  const rows = await jobs.query<{ symbol: string }>(
    "SELECT DISTINCT symbol FROM price_minutes WHERE time >= $1 AND time < $2 ORDER BY symbol",
    [hour * HOUR_MS, (hour + 1n) * HOUR_MS],
  );
  return rows.map(({ symbol }) => symbol);
}

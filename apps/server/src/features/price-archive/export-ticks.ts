import { DAY_MS, type Instant, utcDay } from "@fairtick/domain";
import type { LogReader, StoredFile } from "@fairtick/transparency";
import type { Context } from "../../platform/context.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { exportOldQuotes } from "./export-quotes.ts";
import { readPriceFile } from "./price-archive.ts";
import { type FileMinute, makePriceFile, priceFilePath, readLines, sha256 } from "./price-file.ts";

export const TICKS_KEPT_DAYS = 90;
const MINUTE_MS = 60_000n;
const HOUR_MS = 60n * MINUTE_MS;

/** The public log's files. A file is stored completely or not at all, and is durable once `store` resolves. */
export interface PriceFiles extends LogReader {
  store(files: readonly StoredFile[]): Promise<void>;
}

interface MinuteRow {
  readonly time: bigint;
  /** The hash of the minute's lines; null if the log has no entry for the minute yet. */
  readonly hash: Uint8Array | null;
  readonly lines: string;
}
interface NamedRow {
  readonly symbol: string;
  readonly hash: Uint8Array;
  readonly minutes: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Moves the ticks of each day that is older than ninety days into files, and then drops them from the table. Each step
 * is durable before the next one begins and can be repeated, so a crash loses nothing and two processes may do it at
 * once. Ticks that the log's digests don't prove stay in the table. Returns the days that are only in files from now
 * on.
 */
export async function exportOldTicks(
  context: Pick<Context, "databases" | "log">,
  files: PriceFiles,
  now: Instant,
): Promise<number[]> {
  const jobs = context.databases.jobs;
  const rows = await jobs.query<{ day: bigint }>(
    `SELECT substr(c.relname, 7)::bigint AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'ticks'::regclass ORDER BY day`,
  );
  const done: number[] = [];
  for (const day of rows.map((row) => Number(row.day))) {
    if (day >= utcDay(now) - TICKS_KEPT_DAYS) break;
    try {
      const against = await putAway(jobs, files, day, now);
      if (against === null) done.push(day);
      else context.log.info({ day, against }, "old ticks stay in their table");
    } catch (error) {
      context.log.error({ err: error, day }, "old ticks stay in their table; the next round tries again");
    }
  }
  return done;
}

/** Moves a day's ticks into files. Returns the reason if that isn't possible; null once the ticks are only in files. */
async function putAway(jobs: Queryable, files: PriceFiles, day: number, now: Instant): Promise<string | null> {
  const [open] = await jobs.query<{ symbols: string | null }>(
    `SELECT string_agg(symbol, ', ') AS symbols FROM instrument_clock c
     WHERE sealed_through < $2 AND EXISTS (SELECT FROM ticks t WHERE t.symbol = c.symbol AND t.time >= $1 AND t.time < $2)`,
    [BigInt(day) * DAY_MS, BigInt(day + 1) * DAY_MS],
  );
  if (typeof open?.symbols === "string") return `not sealed: ${open.symbols}`;
  await fileDay(jobs, files, day);
  await proveDay(jobs, files, day);
  crashPoint("prices.proven");
  const [row] = await jobs.query<{ against: string | null }>("SELECT drop_filed_day($1, $2) AS against", [day, now]);
  crashPoint("prices.dropped");
  return row?.against ?? null;
}

/** Writes the missing files of a day. */
async function fileDay(jobs: Queryable, files: PriceFiles, day: number): Promise<void> {
  const named = new Map((await namedFiles(jobs, day)).map((row) => [row.symbol, row.hash]));
  for (const symbol of await loggedSymbols(jobs, day)) {
    const hash = named.get(symbol);
    if (hash !== undefined && (await files.read(priceFilePath(hash))) !== null) continue;
    const file = await makePriceFile(await readDay(jobs, symbol, day));
    await files.store([{ path: priceFilePath(file.hash), bytes: file.bytes }]);
    crashPoint("prices.stored");
    await jobs.query(
      `INSERT INTO price_files (day, symbol, hash, ticks, minutes, ends) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (day, symbol) DO NOTHING`,
      [day, symbol, file.hash, file.ticks, file.minutes, file.ends],
    );
    crashPoint("prices.named");
  }
}

/** Reads a day's minutes, hour by hour. Throws if one differs from its entry in the log. */
async function readDay(jobs: Queryable, symbol: string, day: number): Promise<FileMinute[]> {
  const start = BigInt(day) * DAY_MS;
  const minutes: FileMinute[] = [];
  for (let from = start; from < start + DAY_MS; from += HOUR_MS) {
    const rows = await jobs.query<MinuteRow>(
      `SELECT t.minute AS time, m.hash, t.lines FROM (
         SELECT time / 60000 * 60000 AS minute, string_agg(concat_ws(',', seq, time, price), E'\\n' ORDER BY time) AS lines
         FROM ticks WHERE symbol = $1 AND time >= $2 AND time < $3 AND NOT pre_genesis GROUP BY minute) t
       LEFT JOIN price_minutes m ON m.symbol = $1 AND m.time = t.minute ORDER BY t.minute`,
      [symbol, from, from + HOUR_MS],
      "price_export_hour",
    );
    for (const { time, hash, lines } of rows) {
      if (hash === null) throw new Error(`the log has no entry for ${symbol} at ${time} yet`);
      if (!sha256(lines).equals(hash)) throw new Error(`the ticks of ${symbol} at ${time} are not those of the log`);
      minutes.push({ minute: Number((time - start) / MINUTE_MS), lines });
    }
  }
  return minutes;
}

/**
 * Reads a day's files back from the disk. Throws unless they have each minute that the log has, with the same digest.
 */
async function proveDay(jobs: Queryable, files: LogReader, day: number): Promise<void> {
  const named = await namedFiles(jobs, day);
  for (const symbol of await loggedSymbols(jobs, day)) {
    const row = named.find((each) => each.symbol === symbol);
    if (row === undefined) throw new Error(`day ${day} of ${symbol} is in no file`);
    const bytes = await readPriceFile(files, row.hash);
    const logged = await jobs.query<{ minute: bigint; hash: Uint8Array }>(
      `SELECT (time - $2) / 60000 AS minute, hash FROM price_minutes WHERE symbol = $1 AND time >= $2 AND time < $3 ORDER BY time`,
      [symbol, BigInt(day) * DAY_MS, BigInt(day + 1) * DAY_MS],
    );
    if (logged.length !== row.minutes.length) throw new Error(`a file of day ${day} of ${symbol} lacks minutes`);
    for (const [place, { minute, hash }] of logged.entries()) {
      const isSame =
        row.minutes[place] === Number(minute) && sha256(await readLines({ ...row, bytes }, place)).equals(hash);
      if (!isSame) throw new Error(`a file of day ${day} of ${symbol} does not hold the log's minute ${minute}`);
    }
  }
}

async function namedFiles(jobs: Queryable, day: number): Promise<NamedRow[]> {
  return jobs.query<NamedRow>("SELECT symbol, hash, minutes, ends FROM price_files WHERE day = $1", [day]);
}

async function loggedSymbols(jobs: Queryable, day: number): Promise<string[]> {
  const rows = await jobs.query<{ symbol: string }>(
    "SELECT DISTINCT symbol FROM price_minutes WHERE time >= $1 AND time < $2 ORDER BY symbol",
    [BigInt(day) * DAY_MS, BigInt(day + 1) * DAY_MS],
  );
  return rows.map(({ symbol }) => symbol);
}

const EVERY_MS = 600_000;

/** Starts the export of old days, at the start and every ten minutes, until stopped. */
export function startPriceExport(context: Pick<Context, "databases" | "clock" | "log">, files: PriceFiles): Rounds {
  const { log, clock } = context;
  const failed = "old ticks stay in their table; the next round tries again";
  return startRounds({ log, everyMs: EVERY_MS, failed }, async () => {
    const days = await exportOldTicks(context, files, clock.now());
    if (days.length > 0) log.info({ days }, "old ticks are in files from now on");
    const told = await exportOldQuotes(context, files);
    if (told.length > 0) log.info({ days: told }, "the quotes of old ticks are in files from now on");
  });
}

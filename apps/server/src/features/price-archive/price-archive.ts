import { type Instant, DAY_MS, type Tick, toHex, utcDay } from "@fairtick/domain";
import type { LogReader } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { parseLines, priceFilePath, readLines, sha256 } from "./price-file.ts";
import { type SharedMinute, ticksIn, type ToldTicks } from "./quote-file.ts";

const MINUTE_MS = 60_000n;
const HOUR_MS = 60n * MINUTE_MS;
/** How many files to keep in memory. They never change, and a day of an instrument has a few megabytes at most. */
const KEPT_FILES = 4;

/** Reads ticks that are in files. Read the table first: a day is in both for a while, and then only in files. */
export interface PriceArchive {
  /** Returns the lines of the minute that starts at `time`; null if no file has it. */
  minute(symbol: string, time: Instant): Promise<string | null>;
  /** Returns the quotes behind the ticks of the minute that starts at `time`; null if no file has them. */
  quotes(symbol: string, time: Instant): Promise<ToldTicks | null>;
  /** Returns ticks with from ≤ time ≤ to, oldest first, at most `limit`. */
  between(symbol: string, from: Instant, to: Instant, limit?: number): Promise<Tick[]>;
  /** Returns the last tick with from ≤ time ≤ to. */
  last(symbol: string, from: Instant, to: Instant): Promise<Tick | null>;
}

interface IndexRow {
  readonly hash: Uint8Array;
  readonly minutes: readonly number[];
  readonly ends: readonly number[];
}
type OpenFile = Omit<IndexRow, "hash"> & { readonly bytes: Buffer };

/**
 * Opens the file of an instrument's day or of an hour's quotes; null if there is none. Keeps the last ones in memory.
 */
function openFiles(database: Queryable, files: LogReader) {
  const open = new Map<string, OpenFile>();

  async function openOnce(name: string, ask: () => Promise<IndexRow[]>): Promise<OpenFile | null> {
    const known = open.get(name);
    if (known !== undefined) return known;
    const [row] = await ask();
    if (row === undefined) return null;
    const file = { ...row, bytes: await readPriceFile(files, row.hash) };
    open.set(name, file);
    for (const first of open.keys()) if (open.size > KEPT_FILES) open.delete(first);
    return file;
  }

  return {
    openDay: (symbol: string, day: number): Promise<OpenFile | null> =>
      openOnce(`${symbol} ${day}`, () =>
        database.query<IndexRow>(
          "SELECT hash, minutes, ends FROM price_files WHERE day = $1 AND symbol = $2",
          [day, symbol],
          "price_file",
        ),
      ),
    openHour: (hour: bigint): Promise<OpenFile | null> =>
      openOnce(`quotes ${hour}`, () =>
        database.query<IndexRow>("SELECT hash, minutes, ends FROM quote_files WHERE hour = $1", [hour], "quote_file"),
      ),
  };
}

export function openPriceArchive(database: Queryable, files: LogReader): PriceArchive {
  const { openDay, openHour } = openFiles(database, files);

  /** Yields a day's minutes within a span, each with its ticks, oldest or newest first. */
  async function* minutesOf(symbol: string, from: Instant, to: Instant, backwards: boolean): AsyncGenerator<Tick[]> {
    const days: number[] = [];
    for (let day = utcDay(from); day <= utcDay(to); day += 1) days.push(day);
    for (const day of backwards ? days.toReversed() : days) {
      const file = await openDay(symbol, day);
      const start = BigInt(day) * DAY_MS;
      const places = [...(file?.minutes.entries() ?? [])].filter(([, minute]) => {
        const time = start + BigInt(minute) * MINUTE_MS;
        return time <= to && time + MINUTE_MS > from;
      });
      for (const [place] of backwards ? places.toReversed() : places) {
        const ticks = file === null ? [] : parseLines(await readLines(file, place));
        yield ticks.filter(({ time }) => time >= from && time <= to);
      }
    }
  }

  return {
    async minute(symbol, time) {
      const file = await openDay(symbol, utcDay(time));
      const place = file?.minutes.indexOf(Number((time % DAY_MS) / MINUTE_MS)) ?? -1;
      return file === null || place < 0 ? null : readLines(file, place);
    },
    async quotes(symbol, time) {
      const file = await openHour(time / HOUR_MS);
      const place = file?.minutes.indexOf(Number((time % HOUR_MS) / MINUTE_MS)) ?? -1;
      if (file === null || place < 0) return null;
      return ticksIn(JSON.parse(await readLines(file, place)) as SharedMinute, symbol);
    },
    async between(symbol, from, to, limit = Infinity) {
      const found: Tick[] = [];
      for await (const ticks of minutesOf(symbol, from, to, false)) {
        found.push(...ticks);
        if (found.length >= limit) return found.slice(0, limit);
      }
      return found;
    },
    async last(symbol, from, to) {
      for await (const ticks of minutesOf(symbol, from, to, true)) {
        const last = ticks.at(-1);
        if (last !== undefined) return last;
      }
      return null;
    },
  };
}

/**
 * Reads a price file and checks its hash against its name. Throws if it is missing or differs, so that stored prices
 * are never lost unnoticed.
 */
export async function readPriceFile(files: LogReader, hash: Uint8Array): Promise<Buffer> {
  const path = priceFilePath(hash);
  const bytes = await files.read(path);
  if (bytes === null) throw new Error(`the price file ${path} is missing`);
  if (!sha256(bytes).equals(hash)) throw new Error(`the price file ${path} holds ${toHex(sha256(bytes))}`);
  return Buffer.from(bytes);
}

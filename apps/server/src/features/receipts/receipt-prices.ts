import { DAY_MS, type Instant, SM1_EPOCH_MS, type Tick, utcDay } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { minuteLines } from "../log/index.ts";
import type { PriceArchive } from "../price-archive/index.ts";
import type { LoggedEntries, LoggedEntry } from "./logged-entries.ts";
import type { ReceiptOrder } from "./receipt-order.ts";

const MINUTE_MS = 60_000n;

export interface MinuteView {
  readonly lines: string;
  readonly logged: LoggedEntry | null;
}

/**
 * Reads the minutes of ticks that decide an order: from the tick before its entry to the one after its expiry, so that
 * everyone can see that none was left out. For a minute that isn't over yet, it reads the sealed ticks.
 */
export async function minutesOf(
  database: Queryable,
  archive: PriceArchive,
  entries: LoggedEntries,
  { order, acceptedAt }: ReceiptOrder,
): Promise<MinuteView[]> {
  const { symbol, durationSeconds } = order;
  const [before, entryAt] = await neighbours(database, archive, symbol, acceptedAt);
  const expiry = entryAt === null ? null : ((entryAt + BigInt(durationSeconds) * 1000n) as Instant);
  const [last, after] = expiry === null ? [null, null] : await neighbours(database, archive, symbol, expiry);
  const times = [before, entryAt, last, after].filter((time) => time !== null);
  const minutes = [...new Set(times.map((time) => (time / MINUTE_MS) * MINUTE_MS))];
  const views: MinuteView[] = [];
  for (const minute of minutes.toSorted((left, right) => Number(left - right))) {
    const found = await minuteLines(database, archive, symbol, minute as Instant);
    if (found === null) continue;
    const logged = found.finished ? await entries.find("ticks", minute, symbol) : null;
    views.push({ lines: found.text, logged });
  }
  return views;
}

/** Returns the times of the last sealed tick at or before a moment, and of the first one after it. */
async function neighbours(
  database: Queryable,
  archive: PriceArchive,
  symbol: string,
  at: Instant,
): Promise<[Instant | null, Instant | null]> {
  const [row] = await database.query<{ before: Instant | null; after: Instant | null }>(
    `SELECT (SELECT max(time) FROM ticks WHERE symbol = $1 AND time <= $2 AND time > $2 - 3600000 AND NOT pre_genesis) AS before,
       (SELECT min(t.time) FROM ticks t JOIN instrument_clock c USING (symbol)
        WHERE t.symbol = $1 AND t.time > $2 AND t.time < $2 + 86400000 AND t.time <= c.sealed_through) AS after`,
    [symbol, at],
    "receipt_neighbours",
  );
  if (!(await isFiled(database, at))) return [row?.before ?? null, row?.after ?? null];
  const before = row?.before ?? (await archive.last(symbol, (at - 3_599_999n) as Instant, at))?.time ?? null;
  // Ticks in files are older than those in the table. A later tick that is in a file is therefore the next one.
  const [filed] = await archive.between(symbol, (at + 1n) as Instant, (at + DAY_MS - 1n) as Instant, 1);
  return [before, filed?.time ?? row?.after ?? null];
}

/** Returns whether the ticks around a moment may have moved from the table into files. */
async function isFiled(database: Queryable, at: Instant): Promise<boolean> {
  const days = await database.query(
    "SELECT FROM filed_days WHERE day BETWEEN $1 AND $2",
    [utcDay((at - 3_600_000n) as Instant), utcDay((at + DAY_MS) as Instant)],
    "receipt_filed",
  );
  return days.length > 0;
}

export interface EpochView {
  readonly params: LoggedEntry;
  readonly commit: LoggedEntry;
  readonly open: LoggedEntry;
  readonly reveal: LoggedEntry | null;
}

interface EpochRow {
  readonly epoch: bigint;
  readonly start_at: bigint;
  readonly params_hash: Uint8Array;
}

export interface SourceView {
  /** `SM1` if any of the ticks comes from the simulated market. */
  readonly source: "SM1" | "outside";
  /** The log's statements about the source of the ticks. */
  readonly sources: readonly LoggedEntry[];
  readonly epochs: readonly EpochView[];
}

/**
 * Returns the log's statements about the ticks' source, and the epochs of the simulated market that they come from, if
 * any.
 */
export async function sourceOf(
  database: Queryable,
  entries: LoggedEntries,
  { order, acceptedAt }: ReceiptOrder,
  ticks: readonly Tick[],
): Promise<SourceView> {
  const rows = await database.query<EpochRow>(
    `SELECT epoch, start_at, params_hash FROM sm1_epochs JOIN sm1_params USING (params_hash)
     WHERE start_at <= $2 AND start_at > $1 - $3::bigint AND entry LIKE '%"symbol":"' || $4 || '"%' ORDER BY epoch`,
    [acceptedAt, latest(acceptedAt, ticks), SM1_EPOCH_MS, order.symbol],
    "receipt_epochs",
  );
  const sources = new Map<string, LoggedEntry>();
  const named = new Set<string | null>();
  for (const { time } of ticks) {
    const word = await entries.findNotAfter("source", time, order.symbol);
    if (word !== null) sources.set(word.entry, word);
    named.add(word && (/"source":"([^"]+)"/.exec(word.entry)?.[1] ?? null));
  }
  // For ticks from before the log named sources, and for orders without a tick, use the epochs that list the
  // instrument.
  const isUntold = named.size === 0 || named.has(null);
  const isSimulated = named.has(SIMULATED) || (isUntold && rows.length > 0);
  return {
    source: isSimulated ? SIMULATED : "outside",
    sources: [...sources.values()],
    epochs: isSimulated ? await epochsOf(entries, rows, ticks) : [],
  };
}

/** Returns the log's entries about the epochs that the ticks come from. */
async function epochsOf(
  entries: LoggedEntries,
  rows: readonly EpochRow[],
  ticks: readonly Tick[],
): Promise<EpochView[]> {
  const epochs: EpochView[] = [];
  for (const { epoch, start_at: start, params_hash: hash } of rows) {
    if (!ticks.some(({ time }) => time >= start && time < start + SM1_EPOCH_MS)) continue;
    const [params, commit, open, reveal] = [
      await entries.findParams(hash),
      await entries.find("epoch.commit", epoch),
      await entries.find("epoch.open", epoch),
      await entries.find("epoch.reveal", epoch),
    ];
    if (params !== null && commit !== null && open !== null) epochs.push({ params, commit, open, reveal });
  }
  return epochs;
}

function latest(at: Instant, ticks: readonly Tick[]): Instant {
  let newest = at;
  for (const { time } of ticks) if (time > newest) newest = time;
  return newest;
}

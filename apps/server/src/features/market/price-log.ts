import { createHash } from "node:crypto";
import { type Instant, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { quotesRoot } from "@fairtick/transparency";
import type { Database, Queryable } from "../../platform/database.ts";
import { readQuoteLines } from "../log/index.ts";
import { readSources, sourcesOfMinute } from "./source-rows.ts";
import { insertEntry } from "./sm1-rows.ts";

const MINUTE_MS = 60_000n;
/** The most minutes that one step writes for an instrument, and the most heads in one entry (which must stay below 64 KiB). */
const MINUTES_AT_ONCE = 30n;
const HEADS_AT_ONCE = 300;

interface TickRow {
  readonly seq: bigint;
  readonly time: bigint;
  readonly price: bigint;
}

/** Makes a minute's lines as they are hashed and as `/log/prices` serves them: `seq,time,price`, with the price in points. */
export function priceLines(ticks: readonly TickRow[]): string {
  return ticks.map(({ seq, time, price }) => `${seq},${time},${price}`).join("\n");
}

/**
 * Writes the finished parts of these instruments to the log: slot heads first, then minutes. `sealed` says up to when each is
 * sealed. Writes all or nothing, so that the log never has a price without its head or a head without its prices.
 */
export async function logFinished(
  database: Database,
  sealed: readonly (readonly [symbol: string, through: Instant])[],
): Promise<void> {
  const ends = sealed.map(([, through]) => endOfMinutes(through));
  const end = ends.reduce((newest, each) => (each > newest ? each : newest), 0n);
  await database.transaction(async (transaction) => {
    // Let only one process in: a writer that wakes from a pause may write the same minutes as its successor.
    await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('price log', 0))");
    await logSlotHeads(transaction, end);
    for (const [symbol, through] of sealed) await logPriceMinutes(transaction, symbol, through);
  });
}

/** Returns the end of the last complete minute. */
export function endOfMinutes(sealedThrough: Instant): bigint {
  return ((sealedThrough + 1n) / MINUTE_MS) * MINUTE_MS;
}

/**
 * Writes the `ticks` entry of each finished and sealed minute with ticks: `{count, from, hash, symbol, time, to}`. `from` and
 * `to` are sequence numbers, `hash` is the SHA-256 of the minute's lines. A minute without ticks has no entry, which readers
 * can tell because the numbers around it are consecutive. Ticks from before genesis have no entry either. Must run in a
 * transaction.
 */
export async function logPriceMinutes(transaction: Queryable, symbol: string, sealedThrough: Instant): Promise<void> {
  const name = `ticks:${symbol}`;
  const end = endOfMinutes(sealedThrough);
  let through = await progressOf(transaction, name);
  if (through >= end) return;
  while (through < end) {
    const [first] = await transaction.query<{ time: bigint | null }>(
      "SELECT min(time) AS time FROM ticks WHERE symbol = $1 AND time >= $2 AND time < $3 AND NOT pre_genesis",
      [symbol, through, end],
    );
    const from = first?.time ?? null;
    if (from === null) break;
    const start = (from / MINUTE_MS) * MINUTE_MS;
    const stop = start + MINUTES_AT_ONCE * MINUTE_MS < end ? start + MINUTES_AT_ONCE * MINUTE_MS : end;
    await logMinutes(transaction, symbol, start, stop);
    through = stop;
  }
  await setProgress(transaction, name, end);
}

async function logMinutes(transaction: Queryable, symbol: string, start: bigint, stop: bigint): Promise<void> {
  const ticks = await transaction.query<TickRow>(
    "SELECT seq, time, price FROM ticks WHERE symbol = $1 AND time >= $2 AND time < $3 AND NOT pre_genesis ORDER BY time",
    [symbol, start, stop],
  );
  const known = await readSources(transaction, symbol);
  const minutes = Map.groupBy(ticks, (tick) => (tick.time / MINUTE_MS) * MINUTE_MS);
  for (const [time, rows] of minutes) {
    const [from, to] = [rows[0]?.seq ?? 0n, rows.at(-1)?.seq ?? 0n];
    const hash = createHash("sha256").update(priceLines(rows)).digest();
    const sources = sourcesOfMinute(known, rows);
    const quotes = await minuteQuotesRoot(transaction, symbol, time, rows);
    await transaction.query(
      "INSERT INTO price_minutes (symbol, time, from_seq, to_seq, count, hash) VALUES ($1, $2, $3, $4, $5, $6)",
      [symbol, time, from, to, rows.length, hash],
    );
    await insertEntry(transaction, "ticks", {
      ...quotes,
      ...sources,
      count: rows.length,
      from,
      hash: toHex(hash),
      symbol,
      time,
      to,
    });
  }
}

/** Computes the root over a minute's quote lines; null unless one of its ticks was made from a signed quote. */
async function minuteQuotesRoot(
  database: Queryable,
  symbol: string,
  time: bigint,
  ticks: readonly TickRow[],
): Promise<{ readonly quotes?: string }> {
  const lines = await readQuoteLines(database, symbol, time, ticks);
  return lines === null ? {} : { quotes: toHex(quotesRoot(nodeHashes, lines)) };
}

interface HeadRow {
  readonly k: bigint;
  readonly hash: Uint8Array;
  readonly through_batch: bigint;
  readonly ticks: string;
}

/**
 * Writes `heads` entries for all slots since the last entry that began before this moment, with what each head is made from.
 * `heads` are H_from … H_to, `batches` the newest batch that each of them binds, and `ticks` the number of each symbol's first
 * tick and its ticks in each slot. `time` is the end of the minute of the newest tick. Must run in a transaction.
 */
export async function logSlotHeads(transaction: Queryable, before: bigint): Promise<void> {
  const [newest] = await transaction.query<{ k: bigint | null; time: bigint }>(
    `SELECT max(k) AS k, coalesce(max(time), 0) AS time FROM slot_heads
     WHERE k > $1 AND k <= (SELECT max(k) FROM slot_heads WHERE k > $1 AND from_time < $2)`,
    [await progressOf(transaction, "heads"), before],
  );
  if (newest?.k === undefined || newest.k === null) return;
  // A market that catches up stores slots of many seconds, which may reach into the next minute.
  const time = endOfMinutes((newest.time + MINUTE_MS - 1n) as Instant);
  for (;;) {
    const through = await progressOf(transaction, "heads");
    const heads = await transaction.query<HeadRow>(
      "SELECT k, hash, through_batch, ticks FROM slot_heads WHERE k > $1 AND k <= $2 ORDER BY k LIMIT $3",
      [through, newest.k, HEADS_AT_ONCE],
    );
    const [from, to] = [heads[0]?.k, heads.at(-1)?.k];
    if (from === undefined || to === undefined) return;
    await insertEntry(transaction, "heads", {
      batches: heads.map((head) => head.through_batch),
      from,
      heads: heads.map((head) => toHex(head.hash)),
      ticks: slotTicks(heads),
      time,
      to,
    });
    await setProgress(transaction, "heads", to);
  }
}

function slotTicks(heads: readonly HeadRow[]): Record<string, (bigint | number)[]> {
  const bySymbol: Record<string, (bigint | number)[]> = {};
  for (const [place, { ticks }] of heads.entries()) {
    for (const part of ticks.split(";")) {
      const [symbol = "", first = "0", count = "0"] = part.split(",");
      const counts = (bySymbol[symbol] ??= [BigInt(first), ...heads.map(() => 0)]);
      counts[place + 1] = Number(count);
    }
  }
  return bySymbol;
}

async function progressOf(database: Queryable, name: string): Promise<bigint> {
  const [row] = await database.query<{ through: bigint }>("SELECT through FROM price_log_progress WHERE name = $1", [
    name,
  ]);
  return row?.through ?? 0n;
}

/** Moves the progress mark forward. If two writers write the same part, the second one throws and writes nothing. */
async function setProgress(database: Queryable, name: string, through: bigint): Promise<void> {
  const moved = await database.query(
    `INSERT INTO price_log_progress (name, through) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET through = excluded.through WHERE price_log_progress.through < excluded.through
     RETURNING name`,
    [name, through],
  );
  if (moved.length === 0) throw new Error(`the price log of ${name} is already past ${through}`);
}

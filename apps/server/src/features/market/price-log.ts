import { createHash } from "node:crypto";
import { type Instant, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { quotesRoot } from "@fairtick/transparency";
import type { Database, Queryable } from "../../platform/database.ts";
import { readQuoteLines } from "../log/index.ts";
import { readSources, sourcesOfMinute } from "./source-rows.ts";
import { insertEntry } from "./sm1-rows.ts";

const MINUTE_MS = 60_000n;
/** Minutes that one step writes for an instrument, and heads that one entry holds (it must stay below 64 KiB). */
const MINUTES_AT_ONCE = 30n;
const HEADS_AT_ONCE = 300;

interface TickRow {
  readonly seq: bigint;
  readonly time: bigint;
  readonly price: bigint;
}

/** Lines of a minute, as hashed and as `/log/prices` serves them: `seq,time,price` with the price in points. */
export function priceLines(ticks: readonly TickRow[]): string {
  return ticks.map(({ seq, time, price }) => `${seq},${time},${price}`).join("\n");
}

/**
 * Writes what is finished of these instruments, `sealed` through those moments: the heads of their slots, then their minutes.
 * All of it or nothing: what the log has a price of it has the head of, and what it has a head of it has the price of.
 */
export async function logFinished(
  database: Database,
  sealed: readonly (readonly [symbol: string, through: Instant])[],
): Promise<void> {
  const ends = sealed.map(([, through]) => endOfMinutes(through));
  const end = ends.reduce((newest, each) => (each > newest ? each : newest), 0n);
  await database.transaction(async (transaction) => {
    // One after the other: a writer that wakes from a pause may be at the very minutes that its successor is finishing.
    await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('price log', 0))");
    await logSlotHeads(transaction, end);
    for (const [symbol, through] of sealed) await logPriceMinutes(transaction, symbol, through);
  });
}

/** Where the last whole minute ends. */
export function endOfMinutes(sealedThrough: Instant): bigint {
  return ((sealedThrough + 1n) / MINUTE_MS) * MINUTE_MS;
}

/**
 * Writes the `ticks` entry of each finished and sealed minute that has ticks: `{count, from, hash, symbol, time, to}`,
 * from and to being sequence numbers and hash the SHA-256 of its lines. A minute without ticks has no entry: the
 * numbers around it join. Ticks made before genesis have none either. In a transaction.
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

/** The root over the minute's quote lines, where a signed quote had a say in one of its ticks. */
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
 * Writes the `heads` entries of all slots since the last ones that began before that moment, with what each is made of: `heads`
 * H_from … H_to, `batches` the newest batch that each binds, `ticks` of each symbol its first tick's number and how many
 * each slot has; `time` is when the minute of the newest tick among them is over. In a transaction.
 */
export async function logSlotHeads(transaction: Queryable, before: bigint): Promise<void> {
  const [newest] = await transaction.query<{ k: bigint | null; time: bigint }>(
    `SELECT max(k) AS k, coalesce(max(time), 0) AS time FROM slot_heads
     WHERE k > $1 AND k <= (SELECT max(k) FROM slot_heads WHERE k > $1 AND from_time < $2)`,
    [await progressOf(transaction, "heads"), before],
  );
  if (newest?.k === undefined || newest.k === null) return;
  // A market that catches up has slots of many seconds, which may reach into the next minute.
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

/** Only forward: of two that write the same stretch, the second fails and writes nothing. */
async function setProgress(database: Queryable, name: string, through: bigint): Promise<void> {
  const moved = await database.query(
    `INSERT INTO price_log_progress (name, through) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET through = excluded.through WHERE price_log_progress.through < excluded.through
     RETURNING name`,
    [name, through],
  );
  if (moved.length === 0) throw new Error(`the price log of ${name} has gone past ${through} already`);
}

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
 * Writes the `ticks` entry of each finished and sealed minute that has ticks: `{count, from, hash, symbol, time, to}`,
 * from and to being sequence numbers and hash the SHA-256 of its lines. A minute without ticks has no entry: the
 * numbers around it join. Ticks made before genesis have none either.
 */
export async function logPriceMinutes(database: Database, symbol: string, sealedThrough: Instant): Promise<void> {
  const name = `ticks:${symbol}`;
  const end = ((sealedThrough + 1n) / MINUTE_MS) * MINUTE_MS;
  let through = await progressOf(database, name);
  while (through < end) {
    const [first] = await database.query<{ time: bigint | null }>(
      "SELECT min(time) AS time FROM ticks WHERE symbol = $1 AND time >= $2 AND time < $3 AND NOT pre_genesis",
      [symbol, through, end],
    );
    const from = first?.time ?? null;
    if (from === null) {
      await setProgress(database, name, end);
      return;
    }
    const start = (from / MINUTE_MS) * MINUTE_MS;
    const stop = start + MINUTES_AT_ONCE * MINUTE_MS < end ? start + MINUTES_AT_ONCE * MINUTE_MS : end;
    await logMinutes(database, name, symbol, start, stop);
    through = stop;
  }
}

async function logMinutes(
  database: Database,
  name: string,
  symbol: string,
  start: bigint,
  stop: bigint,
): Promise<void> {
  const ticks = await database.query<TickRow>(
    "SELECT seq, time, price FROM ticks WHERE symbol = $1 AND time >= $2 AND time < $3 AND NOT pre_genesis ORDER BY time",
    [symbol, start, stop],
  );
  const known = await readSources(database, symbol);
  const minutes = Map.groupBy(ticks, (tick) => (tick.time / MINUTE_MS) * MINUTE_MS);
  await database.transaction(async (transaction) => {
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
    await setProgress(transaction, name, stop);
  });
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
 * Writes the `heads` entries of all slot heads since the last ones, with what each is made of: `heads` H_from … H_to,
 * `batches` the newest batch that each binds, `ticks` of each symbol its first tick's number and how many each slot has.
 */
export async function logSlotHeads(database: Database): Promise<void> {
  for (;;) {
    const through = await progressOf(database, "heads");
    const heads = await database.query<HeadRow>(
      "SELECT k, hash, through_batch, ticks FROM slot_heads WHERE k > $1 ORDER BY k LIMIT $2",
      [through, HEADS_AT_ONCE],
    );
    const [from, to] = [heads[0]?.k, heads.at(-1)?.k];
    if (from === undefined || to === undefined) return;
    await database.transaction(async (transaction) => {
      await insertEntry(transaction, "heads", {
        batches: heads.map((head) => head.through_batch),
        from,
        heads: heads.map((head) => toHex(head.hash)),
        ticks: slotTicks(heads),
        to,
      });
      await setProgress(transaction, "heads", to);
    });
    if (heads.length < HEADS_AT_ONCE) return;
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

import type { Candle, Instant, Points } from "@fairtick/domain";
import type { Database, Queryable } from "../../platform/database.ts";
import { sqlState } from "../../platform/database.ts";
import type { TickQuotes } from "./sources/source.ts";
import { TICK_GATE_KEYS } from "../../platform/tick-gate.ts";

/** One row of `instrument_clock`. An instrument without a tick has 0 as seq, time and price. */
export interface InstrumentClock {
  readonly symbol: string;
  readonly seq: bigint;
  readonly time: Instant;
  readonly price: Points;
  readonly sealedThrough: Instant;
  readonly writerEpoch: bigint;
}

export interface StoredTick {
  readonly symbol: string;
  readonly seq: bigint;
  readonly time: Instant;
  readonly price: Points;
  /** Whether it was stored only after the next tick was due, because the market was down or slow. */
  readonly late: boolean;
  readonly quotes?: TickQuotes;
}

export interface Seal {
  readonly symbol: string;
  readonly time: Instant;
}

export interface SlotHead {
  readonly k: bigint;
  readonly hash: Uint8Array;
}

/** Thrown if another writer has taken over, or if a seal or tick would not move forward. Nothing of the slot was stored. */
export class StaleWriterError extends Error {}

const STALE_WRITER = "FT001";

export async function readClocks(database: Queryable): Promise<InstrumentClock[]> {
  const rows = await database.query<{
    symbol: string;
    seq: bigint;
    time: Instant;
    price: Points;
    sealed_through: Instant;
    writer_epoch: bigint;
  }>("SELECT symbol, seq, time, price, sealed_through, writer_epoch FROM instrument_clock ORDER BY symbol");
  return rows.map((row) => ({
    symbol: row.symbol,
    seq: row.seq,
    time: row.time,
    price: row.price,
    sealedThrough: row.sealed_through,
    writerEpoch: row.writer_epoch,
  }));
}

/**
 * Takes the market for a new writer and starts its lease. Returns the writer's epoch, or null while another writer's lease
 * runs. `former` is the epoch that this process held last, so that it needn't wait for its own lease.
 */
export async function takeMarket(database: Queryable, leaseMs: number, former = 0n): Promise<bigint | null> {
  const [row] = await database.query<{ epoch: bigint | null }>("SELECT take_market($1, $2, $3) AS epoch", [
    TICK_GATE_KEYS.market,
    leaseMs,
    former,
  ]);
  return row?.epoch ?? null;
}

/**
 * Renews the lease of a writer that has no slot to store yet, from now on for `leaseMs` each time if given. Throws
 * `StaleWriterError` after a takeover.
 */
export async function renewLease(database: Queryable, writerEpoch: bigint, leaseMs?: number): Promise<void> {
  const renewed = await database.query(
    `UPDATE market_writer SET lease_ms = coalesce($2, lease_ms),
       lease_until = floor(extract(epoch FROM clock_timestamp()) * 1000) + coalesce($2, lease_ms)
     WHERE epoch = $1 RETURNING epoch`,
    [writerEpoch, leaseMs ?? null],
  );
  if (renewed.length === 0) throw new StaleWriterError(`writer ${writerEpoch} was taken over`);
}

/** Ends the lease on a clean stop, so that the next writer starts without waiting. */
export async function giveBackMarket(database: Database, writerEpoch: bigint): Promise<void> {
  await database.transaction(async (transaction) => {
    const mine = await transaction.query("UPDATE market_writer SET lease_until = 0 WHERE epoch = $1 RETURNING epoch", [
      writerEpoch,
    ]);
    if (mine.length === 0) return;
    await transaction.query("UPDATE instrument_clock SET writer_epoch = 0 WHERE writer_epoch = $1", [writerEpoch]);
  });
}

/**
 * Stores one slot and moves the seals in one gated transaction, which is committed when this returns. Every symbol with ticks
 * needs a seal at or after its last tick. Returns the slot's head, null if there were only seals. Throws `StaleWriterError` if
 * the clock's rows refuse the slot.
 */
export async function storeSlot(
  database: Queryable,
  writerEpoch: bigint,
  ticks: readonly StoredTick[],
  seals: readonly Seal[],
): Promise<SlotHead | null> {
  try {
    const slot = [
      TICK_GATE_KEYS.market,
      writerEpoch,
      ticks.map((tick) => tick.symbol),
      ticks.map((tick) => tick.seq),
      ticks.map((tick) => tick.time),
      ticks.map((tick) => tick.price),
      ticks.map((tick) => tick.late),
      seals.map((seal) => seal.symbol),
      seals.map((seal) => seal.time),
    ];
    const quoted = quotedColumns(ticks);
    const [row] =
      quoted === null
        ? await database.query<HeadRow>(
            "SELECT head_k, head_hash FROM store_tick_slot($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            slot,
            "store_tick_slot",
          )
        : await database.query<HeadRow>(
            `SELECT head_k, head_hash FROM store_quoted_tick_slot($1, $2, $3, $4, $5, $6, $7, $8, $9,
               $10, $11, $12, $13, $14, $15, $16)`,
            [...slot, ...quoted],
            "store_quoted_tick_slot",
          );
    return row?.head_k && row.head_hash ? { k: row.head_k, hash: row.head_hash } : null;
  } catch (error) {
    if (sqlState(error) === STALE_WRITER) throw new StaleWriterError((error as Error).message);
    throw error;
  }
}

interface HeadRow {
  readonly head_k: bigint | null;
  readonly head_hash: Uint8Array | null;
}

/** Returns columns (symbols, numbers, times, sources, signed quotes) of the ticks with stated sources; null if there are none. */
function quotedColumns(ticks: readonly StoredTick[]): readonly (readonly unknown[])[] | null {
  const quoted = ticks.flatMap(({ quotes, ...tick }) => (quotes === undefined ? [] : [{ ...tick, ...quotes }]));
  if (quoted.length === 0) return null;
  return [
    quoted.map(({ symbol }) => symbol),
    quoted.map(({ seq }) => seq),
    quoted.map(({ time }) => time),
    quoted.map(({ sources }) => sources),
    quoted.map(({ signed }) => signed && Buffer.from(signed.vaa)),
    quoted.map(({ signed }) => signed && Buffer.from(signed.message)),
    quoted.map(({ signed }) => signed && Buffer.from(signed.branch)),
  ];
}

const DAY_MS = 86_400_000n;

/** Creates the tick partitions from `from` to some days after `now`. */
export async function ensureTickPartitions(database: Queryable, from: Instant, now: Instant): Promise<void> {
  await database.query("SELECT ensure_tick_partitions($1, $2)", [from, now + 3n * DAY_MS]);
}

export interface HistoryTick {
  readonly symbol: string;
  readonly seq: bigint;
  readonly time: Instant;
  readonly price: Points;
}

export interface LongCandles {
  /** Length of their interval, ms. */
  readonly lengthMs: bigint;
  readonly candles: readonly Candle[];
}

/** An instrument's history before its first real tick. It is marked pre-genesis, and empty for real sources. */
export interface Genesis {
  readonly symbol: string;
  /** Of a minute each. */
  readonly candles: readonly Candle[];
  /** Longer ones, before the minutes. */
  readonly longCandles: readonly LongCandles[];
  readonly ticks: readonly HistoryTick[];
  /** Nothing at or below this is stored afterwards. */
  readonly sealedThrough: Instant;
}

/**
 * Stores the histories and clock rows of instruments, all or nothing. Throws if one already has a clock, and
 * `StaleWriterError` after a takeover.
 */
export async function storeGenesis(
  database: Database,
  writerEpoch: bigint,
  instruments: readonly Genesis[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    const mine = await transaction.query("SELECT epoch FROM market_writer WHERE epoch = $1 FOR SHARE", [writerEpoch]);
    if (mine.length === 0) throw new StaleWriterError(`writer ${writerEpoch} was taken over`);
    for (const { symbol, candles, longCandles, ticks, sealedThrough } of instruments) {
      const last = ticks.at(-1);
      const writes = [
        transaction.query(
          `INSERT INTO candles (symbol, time, open, high, low, close, pre_genesis)
           SELECT $1, u.*, true FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) u`,
          [symbol, ...candleColumns(candles)],
        ),
        ...longCandles.map((long) =>
          transaction.query(
            `INSERT INTO long_candles (symbol, length_ms, time, open, high, low, close, pre_genesis)
             SELECT $1, $2, u.*, true FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]) u`,
            [symbol, long.lengthMs, ...candleColumns(long.candles)],
          ),
        ),
        transaction.query(
          `INSERT INTO ticks (symbol, seq, time, price, seal_before, pre_genesis)
           SELECT $1, seq, time, price, $5, true FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) u(seq, time, price)`,
          [
            symbol,
            ticks.map((tick) => tick.seq),
            ticks.map((tick) => tick.time),
            ticks.map((tick) => tick.price),
            (ticks[0]?.time ?? sealedThrough) - 1n,
          ],
        ),
        transaction.query(
          `INSERT INTO instrument_clock (symbol, seq, time, price, sealed_through, writer_epoch)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [symbol, last?.seq ?? 0n, last?.time ?? 0n, last?.price ?? 0n, sealedThrough, writerEpoch],
        ),
      ];
      await Promise.all(writes);
    }
  });
}

/** Returns columns (times, opens, highs, lows, closes). */
function candleColumns(candles: readonly Candle[]): readonly (readonly bigint[])[] {
  return (["time", "open", "high", "low", "close"] as const).map((column) => candles.map((candle) => candle[column]));
}

import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";

/**
 * Stores one-minute candles, made from ticks, for all sealed minutes that have none yet. Safe to run twice at once or after a
 * crash, since a sealed minute never changes. Returns how many were new.
 */
export async function storeCandles(database: Queryable): Promise<number> {
  const rows = await database.query(
    `INSERT INTO candles (symbol, time, open, high, low, close, pre_genesis)
     SELECT c.symbol, m.* FROM instrument_clock c
     CROSS JOIN LATERAL (SELECT coalesce(max(time) + 60000, 0) AS from_time FROM candles WHERE symbol = c.symbol) stored
     CROSS JOIN LATERAL (
       SELECT time / 60000 * 60000 AS minute, (array_agg(price ORDER BY time))[1], max(price), min(price),
         (array_agg(price ORDER BY time DESC))[1], bool_or(pre_genesis)
       FROM ticks WHERE symbol = c.symbol AND time >= stored.from_time AND time < (c.sealed_through + 1) / 60000 * 60000
       GROUP BY minute) m
     ON CONFLICT DO NOTHING RETURNING symbol`,
  );
  return rows.length;
}

const EVERY_MS = 1_000;

/** Stores candles as minutes are sealed, until stopped. */
export function startCandleJob(context: Pick<Context, "databases" | "log">): Rounds {
  const { databases, log } = context;
  const failed = "candles could not be stored; they are with the next round";
  return startRounds({ log, everyMs: EVERY_MS, failed, atStart: false }, () => storeCandles(databases.jobs));
}

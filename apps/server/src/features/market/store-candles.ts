import { CANDLE_INTERVALS } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";

/** Lengths of the candles that are made of minutes, ms. */
const LONG_MS = Object.values(CANDLE_INTERVALS).filter((length) => length > CANDLE_INTERVALS["1m"]);

/**
 * Stores candles for everything that is sealed and has none yet: one-minute candles, made from ticks, and longer ones, made from
 * those. Safe to run twice at once or after a crash, since a sealed minute never changes. Returns how many minutes were new.
 */
export async function storeCandles(database: Queryable): Promise<number> {
  const minutes = await storeMinutes(database);
  await storeLongCandles(database);
  return minutes;
}

async function storeMinutes(database: Queryable): Promise<number> {
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

/**
 * Minutes are stored in order, so an interval is whole as soon as a minute behind it is stored. The last one before a market
 * closes waits until it opens again; meanwhile it is read from its minutes.
 */
async function storeLongCandles(database: Queryable): Promise<void> {
  await database.query(
    `INSERT INTO long_candles (symbol, length_ms, time, open, high, low, close, pre_genesis)
     SELECT c.symbol, l.ms, m.* FROM instrument_clock c
     CROSS JOIN unnest($1::bigint[]) l(ms)
     CROSS JOIN LATERAL (SELECT max(time) / l.ms * l.ms AS running FROM candles WHERE symbol = c.symbol) minutes
     CROSS JOIN LATERAL (
       SELECT coalesce(max(time) + l.ms, 0) AS from_time FROM long_candles WHERE symbol = c.symbol AND length_ms = l.ms) stored
     CROSS JOIN LATERAL (
       SELECT time / l.ms * l.ms AS start, (array_agg(open ORDER BY time))[1], max(high), min(low),
         (array_agg(close ORDER BY time DESC))[1], bool_or(pre_genesis)
       FROM candles WHERE symbol = c.symbol AND time >= stored.from_time AND time < minutes.running
       GROUP BY start) m
     ON CONFLICT DO NOTHING`,
    [LONG_MS],
  );
}

const EVERY_MS = 1_000;

/** Stores candles as minutes are sealed, until stopped. */
export function startCandleJob(context: Pick<Context, "databases" | "log">): Rounds {
  const { databases, log } = context;
  const failed = "candles could not be stored; they are with the next round";
  return startRounds({ log, everyMs: EVERY_MS, failed, atStart: false }, () => storeCandles(databases.jobs));
}

import {
  type Candle,
  CANDLE_INTERVALS,
  type CandleInterval,
  candleStart,
  type Instant,
  mergeCandles,
  type Points,
} from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

export interface CandleSpan {
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** The first candle is the one that contains this moment. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly limit: number;
}

const MINUTE = CANDLE_INTERVALS["1m"];

interface CandleRow {
  readonly start: bigint;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
}

const FROM_TICKS = `SELECT time / $2 * $2 AS start, (array_agg(price ORDER BY time))[1] AS open, max(price) AS high,
    min(price) AS low, (array_agg(price ORDER BY time DESC))[1] AS close
  FROM ticks WHERE symbol = $1 AND time >= $3 AND time <= $4 GROUP BY start ORDER BY start`;
const FROM_MINUTES = `SELECT time / $2 * $2 AS start, (array_agg(open ORDER BY time))[1] AS open, max(high) AS high,
    min(low) AS low, (array_agg(close ORDER BY time DESC))[1] AS close
  FROM candles WHERE symbol = $1 AND time >= $3 AND time <= $4 GROUP BY start ORDER BY start`;

/**
 * Lists the candles of a span, oldest first. Covers at most the newest `limit` intervals, counted back from the last price in
 * the span, and leaves out intervals without ticks. The last candle may still be running. Intervals below a minute are made
 * from ticks, longer ones from stored minutes and, where minutes aren't stored yet, from their ticks.
 */
export async function listCandles(database: Queryable, span: CandleSpan): Promise<Candle[]> {
  const { symbol, interval } = span;
  const length = CANDLE_INTERVALS[interval];
  const to = await lastPriceAt(database, symbol, span.to);
  if (to === null) return [];
  const earliest = candleStart(to, interval) - BigInt(span.limit - 1) * length;
  const asked = span.from === undefined ? earliest : candleStart(span.from, interval);
  const from = asked > earliest ? asked : earliest;
  if (length < MINUTE) return read(database, FROM_TICKS, [symbol, length, from, to]);

  // Minutes are stored in order, so everything after the newest one has to come from ticks.
  const [stored] = await database.query<{ next: bigint | null }>(
    "SELECT max(time) + 60000 AS next FROM candles WHERE symbol = $1",
    [symbol],
  );
  const next = stored?.next ?? 0n;
  // `next` is read first. If a minute is stored meanwhile, it is read twice instead of missed, which changes no candle.
  const [minutes, rest] = await Promise.all([
    read(database, FROM_MINUTES, [symbol, length, from, next - MINUTE < to ? next - MINUTE : to]),
    next > to ? [] : read(database, FROM_TICKS, [symbol, MINUTE, next > from ? next : from, to]),
  ]);
  return mergeCandles([...minutes, ...rest], interval);
}

/** Finds the time of the last price at or before `to`. A stored minute counts as its last instant, but at most as `to`. */
async function lastPriceAt(database: Queryable, symbol: string, to?: Instant): Promise<Instant | null> {
  if (to === undefined) {
    const [newest] = await database.query<{ time: bigint }>(
      "SELECT time FROM instrument_clock WHERE symbol = $1 AND seq > 0",
      [symbol],
    );
    return (newest?.time ?? null) as Instant | null;
  }
  const [row] = await database.query<{ tick: bigint | null; minute: bigint | null }>(
    `SELECT (SELECT max(time) FROM ticks WHERE symbol = $1 AND time <= $2) AS tick,
       (SELECT max(time) + 59999 FROM candles WHERE symbol = $1 AND time <= $2) AS minute`,
    [symbol, to],
  );
  const times = [row?.tick, row?.minute].flatMap((time) => (time === null || time === undefined ? [] : [time]));
  if (times.length === 0) return null;
  const last = times.reduce((left, right) => (left > right ? left : right));
  return (last < to ? last : to) as Instant;
}

async function read(database: Queryable, sql: string, values: readonly unknown[]): Promise<Candle[]> {
  const rows = await database.query<CandleRow>(sql, values);
  return rows.map((row) => ({
    time: row.start as Instant,
    open: row.open as Points,
    high: row.high as Points,
    low: row.low as Points,
    close: row.close as Points,
  }));
}

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
  /** How many candles at most. Intervals without a price have none and do not count. */
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
const MINUTES = `SELECT time AS start, open, high, low, close FROM candles
  WHERE symbol = $1 AND time >= $2 AND time < $3 ORDER BY time DESC LIMIT $4`;
const LONG_CANDLES = `SELECT time AS start, open, high, low, close FROM long_candles
  WHERE symbol = $1 AND time >= $2 AND time < $3 AND length_ms = $5 ORDER BY time DESC LIMIT $4`;

// Steps back from the newest tick to the last one before its interval, and so on, over any gap. This takes as many
// probes as candles, and each reads the newest partition that has ticks before its moment.
const BACK_THROUGH_TICKS = `WITH RECURSIVE steps AS (
    (SELECT time, 1 AS n FROM ticks WHERE symbol = $1 AND time >= $3 AND time <= $4 ORDER BY time DESC LIMIT 1)
    UNION ALL
    SELECT before.time, n + 1 FROM steps CROSS JOIN LATERAL (
      SELECT time FROM ticks WHERE symbol = $1 AND time >= $3 AND time < steps.time / $2 * $2 ORDER BY time DESC LIMIT 1) before
    WHERE n < $5
  )
  SELECT time / $2 * $2 AS start FROM steps ORDER BY n DESC LIMIT 1`;

interface Reach {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Lists the candles of a span, oldest first: the newest `limit` of those that have a price. The last one may still be running, and
 * a candle that contains `to` ends there. Intervals below a minute are made from ticks. Longer ones are stored; where they aren't
 * stored yet, they are made from minutes and ticks.
 */
export async function listCandles(database: Queryable, span: CandleSpan): Promise<Candle[]> {
  const { symbol, interval, limit } = span;
  const to = span.to ?? (await newestPriceAt(database, symbol));
  if (to === null) return [];
  const reach = { from: candleStart(span.from ?? (0n as Instant), interval), to };
  const candles =
    CANDLE_INTERVALS[interval] < MINUTE
      ? await listShort(database, span, reach)
      : await listStored(database, span, reach);
  return candles.slice(-limit);
}

async function newestPriceAt(database: Queryable, symbol: string): Promise<Instant | null> {
  const [newest] = await database.query<{ time: Instant }>(
    "SELECT time FROM instrument_clock WHERE symbol = $1 AND seq > 0",
    [symbol],
  );
  return newest?.time ?? null;
}

/**
 * Makes candles from ticks. If no interval lacks a price, one range of ticks has all of them. Otherwise the start of
 * the older ones is looked up first.
 */
async function listShort(database: Queryable, { symbol, interval, limit }: CandleSpan, reach: Reach) {
  const length = CANDLE_INTERVALS[interval];
  const { from, to } = reach;
  const unbroken = candleStart(to, interval) - BigInt(limit - 1) * length;
  const candles = await read(database, FROM_TICKS, [symbol, length, unbroken > from ? unbroken : from, to]);
  if (candles.length >= limit || unbroken <= from) return candles;
  const end = candles[0] === undefined ? to : candles[0].time - 1n;
  const [first] = await database.query<{ start: bigint }>(BACK_THROUGH_TICKS, [
    symbol,
    length,
    from,
    end,
    limit - candles.length,
  ]);
  if (first === undefined) return candles;
  return [...(await read(database, FROM_TICKS, [symbol, length, first.start, end])), ...candles];
}

async function listStored(database: Queryable, { symbol, interval, limit }: CandleSpan, { from, to }: Reach) {
  const length = CANDLE_INTERVALS[interval];
  // Minutes are stored in order, and longer candles after them. Everything after the newest stored candle is therefore
  // made from minutes and ticks.
  const [stored] = await database.query<{ minute: bigint | null; long: bigint | null }>(
    `SELECT (SELECT max(time) FROM candles WHERE symbol = $1) AS minute,
       (SELECT max(time) FROM long_candles WHERE symbol = $1 AND length_ms = $2) AS long`,
    [symbol, length],
  );
  const minutesEnd = endOf(stored?.minute, MINUTE);
  const storedEnd = length === MINUTE ? minutesEnd : endOf(stored?.long, length);
  // A long candle that ends at `to` is computed here, because the stored one is longer. Minutes aren't shortened, since
  // their ticks may be gone.
  const whole = candleStart((candleStart(to, "1m") + MINUTE) as Instant, interval);
  const cut = storedEnd < whole ? storedEnd : whole;
  const restFrom = cut > from ? cut : from;
  const lastMinute = minutesEnd - MINUTE < to ? minutesEnd - MINUTE : to;
  const [candles, minutes, ticks] = await Promise.all([
    length === MINUTE
      ? read(database, MINUTES, [symbol, from, cut, limit])
      : read(database, LONG_CANDLES, [symbol, from, cut, limit, length]),
    read(database, FROM_MINUTES, [symbol, length, restFrom, lastMinute]),
    read(database, FROM_TICKS, [symbol, MINUTE, minutesEnd > restFrom ? minutesEnd : restFrom, to]),
  ]);
  return mergeCandles([...candles.reverse(), ...minutes, ...ticks], interval);
}

function endOf(start: bigint | null | undefined, length: bigint): bigint {
  return start === null || start === undefined ? 0n : start + length;
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

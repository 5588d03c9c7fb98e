import { DAY_MS, type Instant, type Tick, utcDay } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { PriceArchive } from "../price-archive/index.ts";

/** Lists ticks with from ≤ time ≤ to, oldest first, at most `limit`. */
export async function listTicks(
  database: Queryable,
  archive: PriceArchive,
  span: { readonly symbol: string; readonly from: Instant; readonly to: Instant; readonly limit: number },
): Promise<Tick[]> {
  const { symbol, from, to, limit } = span;
  const rows = await database.query<Tick>(
    "SELECT seq, time, price FROM ticks WHERE symbol = $1 AND time >= $2 AND time <= $3 ORDER BY time LIMIT $4",
    [symbol, from, to, limit],
  );
  // Archived days lie before the days in the table, so only the time before the first row is looked for in archive files.
  const first = rows[0]?.time ?? ((to + 1n) as Instant);
  const [filed] = await database.query<{ oldest: bigint | null; newest: bigint | null }>(
    "SELECT min(day) AS oldest, max(day) AS newest FROM filed_days WHERE day BETWEEN $1 AND $2",
    [utcDay(from), utcDay(first)],
  );
  if (typeof filed?.oldest !== "bigint" || typeof filed.newest !== "bigint") return rows;
  const [start, end] = [filed.oldest * DAY_MS, (filed.newest + 1n) * DAY_MS - 1n];
  const old = await archive.between(
    symbol,
    (start > from ? start : from) as Instant,
    (end < first ? end : first - 1n) as Instant,
    limit,
  );
  return [...old, ...rows].slice(0, limit);
}

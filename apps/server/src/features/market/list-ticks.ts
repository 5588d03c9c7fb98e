import type { Instant, Tick } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** Ticks with from ≤ time ≤ to, oldest first, at most `limit`. */
export async function listTicks(
  database: Queryable,
  span: { readonly symbol: string; readonly from: Instant; readonly to: Instant; readonly limit: number },
): Promise<Tick[]> {
  return database.query<Tick>(
    "SELECT seq, time, price FROM ticks WHERE symbol = $1 AND time >= $2 AND time <= $3 ORDER BY time LIMIT $4",
    [span.symbol, span.from, span.to, span.limit],
  );
}

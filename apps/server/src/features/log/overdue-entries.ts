import type { Queryable } from "../../platform/database.ts";

const MINUTE_MS = 60_000n;

/** Something that the market has finished but the log doesn't contain. Its age counts from the end of its minute. */
export interface OverdueEntry {
  readonly what: "prices" | "slot heads";
  /** The minute's start. */
  readonly minute: bigint;
  readonly ms: bigint;
}

/**
 * Finds the oldest finished minute (by the database's time) whose prices or slot heads are missing from the log; null if none
 * are. It stays overdue until it is in the log, whatever happens to its market.
 */
export async function readOverdue(database: Queryable): Promise<OverdueEntry | null> {
  const [row] = await database.query<{ now: bigint; priced: bigint | null; headed: bigint | null }>(
    `WITH t AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now),
     logged AS MATERIALIZED (
       SELECT c.symbol, coalesce((SELECT max(l.number) FROM log_entries l WHERE l.kind = 'ticks' AND l.about = c.symbol) + ${MINUTE_MS}, 0) AS through
       FROM instrument_clock c WHERE c.seq > 0
     ), head AS MATERIALIZED (
       SELECT coalesce((SELECT substring(o.entry FROM '"to":([0-9]+),"v":1\\}$')::bigint FROM log_entries l JOIN outbox o USING (outbox_id)
         WHERE l.kind = 'heads' AND l.about = '' ORDER BY l.number DESC LIMIT 1), 0) AS k
     )
     SELECT t.now,
       (SELECT min(first.time) FROM logged CROSS JOIN LATERAL (
          SELECT ticks.time FROM ticks WHERE ticks.symbol = logged.symbol AND ticks.time >= logged.through
            AND ticks.time < t.now / ${MINUTE_MS} * ${MINUTE_MS} AND NOT ticks.pre_genesis ORDER BY ticks.time LIMIT 1) first) AS priced,
       (SELECT h.from_time FROM slot_heads h, head WHERE h.k = head.k + 1 AND h.from_time < t.now / ${MINUTE_MS} * ${MINUTE_MS}) AS headed
     FROM t`,
    [],
    "log_overdue",
  );
  if (row === undefined) return null;
  const { now, priced, headed } = row;
  const oldest = priced === null || (headed !== null && headed < priced) ? headed : priced;
  if (oldest === null) return null;
  const minute = oldest - (oldest % MINUTE_MS);
  return { what: oldest === priced ? "prices" : "slot heads", minute, ms: now - minute - MINUTE_MS };
}

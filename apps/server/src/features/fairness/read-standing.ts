import type { Instant, Wallet } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import { readUnsigned } from "../../platform/incident-entry.ts";
import { firstDay, SINCE, uncounted } from "./count-settled.ts";

/** Reads what the house failed to do: the orders it refused, by reason, and its outages, by part. */
export async function readStanding(
  database: Queryable,
  now: Instant,
): Promise<Pick<Fairness, "refusals" | "incidents">> {
  const refusals = await database.query<{ reason: string; count: bigint }>(
    "SELECT reason, sum(count)::bigint AS count FROM fairness_refusals WHERE day >= $1 GROUP BY reason ORDER BY 2 DESC, 1",
    [firstDay(now)],
  );
  const incidents = await database.query<{ part: string; count: bigint; ms: bigint; last: bigint; reasons: string[] }>(
    `SELECT l.about AS part, count(*) AS count, coalesce(sum((o.entry::json ->> 'to')::bigint - (o.entry::json ->> 'from')::bigint), 0)::bigint AS ms,
       max(l.number) AS last,
       coalesce(array_agg(DISTINCT o.entry::json ->> 'reason') FILTER (WHERE l.about IN ('house', 'log')), '{}') AS reasons
     FROM log_entries l JOIN outbox o USING (outbox_id)
     WHERE l.kind = 'incident' AND l.about IN ('house', 'log', 'prices', 'settlement', 'source') AND l.number >= $1
     GROUP BY l.about ORDER BY l.about`,
    [BigInt(firstDay(now)) * 86_400_000n],
  );
  return {
    refusals: refusals.map(({ reason, count }) => ({ reason, count: Number(count) })),
    incidents: incidents.map(({ part, count, ms, last, reasons }) => ({
      part: part as Fairness["incidents"][number]["part"],
      count: Number(count),
      ms: Number(ms),
      lastAt: Number(last),
      unsigned: [...new Set(reasons.flatMap(readUnsigned))],
    })),
  };
}

/**
 * Counts sealed orders that ended without being revealed, by wallet: those that counted as lost, and those voided because of
 * their prices.
 */
export async function countUnrevealed(
  database: Queryable,
  now: Instant,
): Promise<{ readonly wallet: Wallet; readonly unrevealed: bigint; readonly voided: bigint }[]> {
  return database.query(
    `SELECT wallet, sum(unrevealed)::bigint AS unrevealed, sum(voided)::bigint AS voided FROM (
       SELECT * FROM fairness_sealed WHERE day >= $3 UNION ALL SELECT * FROM fairness_sealed_between(${SINCE})) each
     GROUP BY wallet`,
    [...(await uncounted(database, now)), firstDay(now)],
    "fairness_unrevealed",
  );
}

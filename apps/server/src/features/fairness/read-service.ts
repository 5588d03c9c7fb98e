import { DAY_MS, firstIdAt, formatMoney, type Instant, type MicroUsd, type Wallet } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";

type Service = Pick<Fairness, "entryDelay" | "settlementDelay" | "withdrawalTime" | "corrections" | "gaps">;

interface TimesRow {
  readonly count: bigint;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** How the house served: delays, withdrawal times, corrections, minutes without prices. */
export async function readService(database: Queryable, from: Instant, now: Instant): Promise<Service> {
  const yesterday = (now - DAY_MS) as Instant;
  const firstId = firstIdAt((yesterday - DAY_MS / 12n) as Instant);
  const [entry] = await database.query<TimesRow>(
    `SELECT count(*) AS count, ${percentiles("s.entry_at - o.accepted_at")}
     FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
     WHERE s.settled_at >= $1 AND s.order_id >= $2 AND o.order_id >= $2 AND s.entry_at IS NOT NULL`,
    [yesterday, firstId],
  );
  const [settled] = await database.query<TimesRow>(
    `SELECT count(*) AS count, ${percentiles("greatest(0, s.settled_at - s.entry_at - o.duration * 1000::bigint)")}
     FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
     WHERE s.settled_at >= $1 AND s.order_id >= $2 AND o.order_id >= $2 AND s.outcome <> 'voided'`,
    [yesterday, firstId],
  );
  const [paid] = await database.query<TimesRow>(
    `SELECT count(*) AS count, ${percentiles("p.at - w.created_at")}
     FROM withdrawal_steps p JOIN withdrawals w USING (withdrawal_id) WHERE p.stage = 'confirmed' AND p.at >= $1`,
    [from],
  );
  const [corrected] = await database.query<{ count: bigint; credited: bigint; debited: bigint }>(
    `SELECT count(DISTINCT t.transfer_id) AS count, coalesce(sum(p.amount) FILTER (WHERE p.to_account = 'available'), 0)::bigint AS credited,
       coalesce(sum(p.amount) FILTER (WHERE p.from_account = 'available'), 0)::bigint AS debited
     FROM transfers t JOIN postings p USING (transfer_id) WHERE t.kind = 'correction' AND t.made_at >= $1`,
    [from],
  );
  const gaps = await database.query<{ symbol: string; minutes: bigint; logged: bigint }>(
    `SELECT symbol, (max(time) - min(time)) / 60000 + 1 AS minutes, count(*) AS logged
     FROM price_minutes WHERE time >= $1 GROUP BY symbol ORDER BY symbol`,
    [yesterday],
  );
  return {
    entryDelay: timesOf(entry),
    settlementDelay: timesOf(settled),
    withdrawalTime: timesOf(paid),
    corrections: {
      count: Number(corrected?.count ?? 0n),
      credited: formatMoney((corrected?.credited ?? 0n) as MicroUsd),
      debited: formatMoney((corrected?.debited ?? 0n) as MicroUsd),
    },
    gaps: gaps.map(({ symbol, minutes, logged }) => ({
      symbol,
      minutes: Number(minutes),
      missing: Number(minutes - logged),
    })),
  };
}

export interface MembersRow {
  readonly wallet: Wallet;
  readonly members: bigint;
  readonly lost: bigint;
}

/** Members with a decided order since `from`, and how many of them lost more than they won. */
export async function countMembers(database: Queryable, from: Instant): Promise<MembersRow[]> {
  return database.query<MembersRow>(
    `SELECT wallet, count(*) AS members, count(*) FILTER (WHERE result < 0) AS lost FROM (
       SELECT o.wallet, s.member_id, sum(s.profit) AS result
       FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
       WHERE s.settled_at >= $1 AND s.order_id >= $2 AND o.order_id >= $2 AND s.outcome IN ('won', 'lost')
       GROUP BY o.wallet, s.member_id) each GROUP BY wallet`,
    [from, firstIdAt((from - DAY_MS / 12n) as Instant)],
    "fairness_count_members",
  );
}

function percentiles(of: string): string {
  return [50, 95]
    .map((part) => `percentile_disc(${part / 100}) WITHIN GROUP (ORDER BY ${of})::float8 AS p${part}`)
    .join(", ");
}

function timesOf(row: TimesRow | undefined): Fairness["entryDelay"] {
  return { count: Number(row?.count ?? 0n), p50: row?.p50 ?? null, p95: row?.p95 ?? null };
}

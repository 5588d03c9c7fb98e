import { DAY_MS, formatMoney, type Instant, type MicroUsd, startOfUtcDay, utcDay, type Wallet } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import { FAIRNESS_DAYS, SINCE, uncounted } from "./count-settled.ts";

type Service = Pick<Fairness, "entryDelay" | "settlementDelay" | "withdrawalTime" | "corrections" | "gaps">;

interface TimesRow {
  readonly count: bigint;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** Reads the quality of service: delays, withdrawal times, corrections and minutes without prices. */
export async function readService(database: Queryable, now: Instant): Promise<Service> {
  const from = startOfUtcDay(utcDay(now) - FAIRNESS_DAYS + 1);
  const yesterday = (now - DAY_MS) as Instant;
  const delays = await readDelays(database, now);
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
    entryDelay: timesOf(delays.find(({ kind }) => kind === "entry")),
    settlementDelay: timesOf(delays.find(({ kind }) => kind === "settlement")),
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

/** Counts the members with a decided order on the covered days, and how many of them lost more than they won. */
export async function countMembers(database: Queryable, now: Instant): Promise<MembersRow[]> {
  return database.query<MembersRow>(
    `SELECT wallet, count(*) AS members, count(*) FILTER (WHERE result < 0) AS lost FROM (
       SELECT wallet, member_id, sum(result) AS result FROM (
         SELECT * FROM fairness_members WHERE day >= $3 UNION ALL SELECT * FROM fairness_members_between(${SINCE})) part
       GROUP BY wallet, member_id) each GROUP BY wallet`,
    [...(await uncounted(database, now)), utcDay(now) - FAIRNESS_DAYS + 1],
    "fairness_count_members",
  );
}

/** Reads the delays of the last 24 hours, by whole hours: the first one counts as a whole. */
async function readDelays(database: Queryable, now: Instant): Promise<(TimesRow & { readonly kind: string })[]> {
  return database.query(
    `WITH delays AS (
       SELECT kind, ms, sum(count) AS count FROM (
         SELECT * FROM fairness_delays UNION ALL SELECT * FROM fairness_delays_between(${SINCE})) each
       WHERE hour >= $3 GROUP BY kind, ms),
     ranked AS (
       SELECT kind, ms, sum(count) OVER (PARTITION BY kind ORDER BY ms) AS upto, sum(count) OVER (PARTITION BY kind) AS whole FROM delays)
     SELECT kind, max(whole)::bigint AS count, min(ms) FILTER (WHERE upto >= 0.5 * whole)::float8 AS p50,
       min(ms) FILTER (WHERE upto >= 0.95 * whole)::float8 AS p95
     FROM ranked GROUP BY kind`,
    [...(await uncounted(database, now)), (now - DAY_MS) / 3_600_000n],
    "fairness_delays",
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

import {
  DAY_MS,
  divideDown,
  firstIdAt,
  formatMoney,
  type Instant,
  type MemberId,
  type MicroUsd,
  type Wallet,
} from "@fairtick/domain";
import type { Output, userBalances } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";

type Balances = Output<typeof userBalances>;

export const DAYS_MAX = 30;
/** Far longer than any order runs. An order settled on a day was accepted at most this long before the day. */
const LONGEST_LIFE_MS = 2n * DAY_MS;

interface WalletRow {
  readonly total: bigint;
  readonly running: bigint;
  readonly day: number;
  readonly staked: bigint;
  readonly lost: bigint;
  readonly first_at: bigint | null;
}

/**
 * Reads a wallet's total (available and locked) at the end of each UTC day, oldest first, from the day of its first movement to
 * today, at most 30 days. The totals are calculated backwards from the current one, by all later movements in the ledger. Also
 * returns what the daily limits count today: stakes, and losses together with the stakes of running orders.
 */
export async function readBalances(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  wallet: Wallet,
  now: Instant,
): Promise<Balances> {
  const today = divideDown(now, DAY_MS);
  const from = (today - BigInt(DAYS_MAX - 1)) * DAY_MS;
  // Read in a single statement, so that the total and its changes are from the same moment.
  const rows = await databases.reader.query<WalletRow & { readonly days: string | null }>(
    `SELECT w.total, w.running, w.day, w.staked, w.lost,
       (SELECT min(t.made_at) FROM transfers t WHERE t.member_id = m.member_id AND t.wallet = $2) AS first_at,
       (SELECT string_agg(c.day || ':' || c.change, ',') FROM (
         SELECT day, sum(change)::bigint AS change FROM (
           SELECT s.settled_at / $4::bigint AS day, s.profit AS change
           FROM orders o JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id
           WHERE o.member_id = $1 AND o.wallet = $2 AND s.settled_at >= $3 AND o.order_id >= $5
           UNION ALL
           SELECT t.made_at / $4::bigint, CASE WHEN p.to_account IN ('available', 'locked') THEN p.amount ELSE 0 END
             - CASE WHEN p.from_account IN ('available', 'locked') THEN p.amount ELSE 0 END
           FROM transfers t JOIN postings p USING (transfer_id)
           WHERE t.member_id = $1 AND t.wallet = $2 AND t.made_at >= $3
         ) AS changes GROUP BY day) AS c) AS days
     FROM members_money m CROSS JOIN LATERAL (VALUES
       ('practice'::wallet, m.practice_available + m.practice_locked, m.practice_running_stakes, m.practice_day, m.practice_staked_today, m.practice_lost_today),
       ('real', m.real_available + m.real_locked, m.real_running_stakes, m.real_day, m.real_staked_today, m.real_lost_today))
       AS w(wallet, total, running, day, staked, lost)
     WHERE m.member_id = $1 AND w.wallet = $2`,
    [memberId, wallet, from, DAY_MS, firstIdAt((from - LONGEST_LIFE_MS) as Instant)],
  );
  const [row] = rows;
  if (row === undefined) return { days: [], stakedToday: "0.00", countedLost: "0.00" };
  const isOfToday = BigInt(row.day) >= today;
  return {
    days: daysOf(row, changesOf(row.days), today),
    stakedToday: formatMoney((isOfToday ? row.staked : 0n) as MicroUsd),
    countedLost: formatMoney(((isOfToday ? row.lost : 0n) + row.running) as MicroUsd),
  };
}

function changesOf(days: string | null): ReadonlyMap<bigint, bigint> {
  const changes = new Map<bigint, bigint>();
  for (const pair of days?.split(",") ?? []) {
    const [day = "0", change = "0"] = pair.split(":");
    changes.set(BigInt(day), BigInt(change));
  }
  return changes;
}

function daysOf(
  { total, first_at: firstAt }: WalletRow,
  changes: ReadonlyMap<bigint, bigint>,
  today: bigint,
): Balances["days"] {
  if (firstAt === null) return [];
  const first = divideDown(firstAt, DAY_MS);
  const days: Balances["days"] = [];
  let end = total;
  for (let day = today; day >= first && day > today - BigInt(DAYS_MAX); day -= 1n) {
    days.push({ start: Number(day * DAY_MS), total: formatMoney(end as MicroUsd) });
    end -= changes.get(day) ?? 0n;
  }
  return days.toReversed();
}

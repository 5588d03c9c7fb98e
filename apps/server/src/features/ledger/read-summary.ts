import {
  creditParts,
  creditScore,
  formatMoney,
  type Instant,
  type MemberId,
  type MicroUsd,
  startOfUtcDay,
  utcDay,
  type Wallet,
  WALLETS,
} from "@fairtick/domain";
import type { Summary } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { memberInfo } from "../members/index.ts";
import { STILL_RUNS } from "./still-runs.ts";

interface WalletFigures {
  readonly wallet: Wallet;
  readonly available: bigint;
  readonly locked: bigint;
  readonly today_profit: bigint;
  readonly position_margin: bigint;
  readonly open_positions: bigint;
  readonly owed: bigint;
  readonly reversed: bigint;
  readonly now: bigint;
}

/** Reads the figures of a member's wallets: both, or the one asked for. */
export async function readSummaries(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  now: Instant,
  wallets: readonly Wallet[] = WALLETS,
): Promise<readonly Summary[]> {
  const dayStart = startOfUtcDay(utcDay(now));
  const [figures, member] = await Promise.all([
    databases.reader.query<WalletFigures>(
      `SELECT w.wallet, w.available, w.locked, w.owed, (SELECT count(*) FROM deposit_reversals v JOIN deposits e USING (deposit_id) WHERE e.member_id = m.member_id) AS reversed, coalesce(d.profit, 0)::bigint AS today_profit,
         coalesce(r.margin, 0)::bigint AS position_margin, coalesce(r.count, 0) AS open_positions,
         floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
       FROM members_money m
       CROSS JOIN LATERAL (VALUES ('practice'::wallet, m.practice_available, m.practice_locked, 0::bigint), ('real', m.real_available, m.real_locked, m.real_debt))
         AS w(wallet, available, locked, owed)
       LEFT JOIN LATERAL (SELECT sum(o.stake + o.fee) AS margin, count(*) AS count FROM orders o
         WHERE o.member_id = m.member_id AND o.wallet = w.wallet AND ${STILL_RUNS}) r ON true
       LEFT JOIN LATERAL (SELECT sum(s.profit) AS profit FROM settlements s
         JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
         WHERE s.member_id = m.member_id AND o.wallet = w.wallet AND s.settled_at >= $2) d ON true
       WHERE m.member_id = $1 AND w.wallet = ANY($3::wallet[]) ORDER BY w.wallet`,
      [memberId, dayStart, wallets],
    ),
    memberInfo({ databases }, memberId, now),
  ]);
  const credit = creditParts({
    identityVerified: member.identityState === "verified",
    depositsReversed: Number(figures[0]?.reversed ?? 0n),
  });
  return figures.map((row) => presentSummary(row, member, credit));
}

function presentSummary(
  row: WalletFigures,
  { identityState, username }: Pick<Summary, "identityState" | "username">,
  credit: ReturnType<typeof creditParts>,
): Summary {
  return {
    wallet: row.wallet,
    totalAssets: formatMoney((row.available + row.locked) as MicroUsd),
    available: formatMoney(row.available as MicroUsd),
    locked: formatMoney(row.locked as MicroUsd),
    ...(row.owed > 0n && { owed: formatMoney(row.owed as MicroUsd) }),
    todayProfit: formatMoney(row.today_profit as MicroUsd),
    positionMargin: formatMoney(row.position_margin as MicroUsd),
    openPositions: Number(row.open_positions),
    creditScore: creditScore(credit),
    creditParts: [...credit],
    identityState,
    username,
    serverTime: Number(row.now),
  };
}

import {
  DAY_MS,
  divideDown,
  divideHalfEven,
  divideUp,
  firstIdAt,
  formatMoney,
  formatRate,
  type Instant,
  type MemberId,
  type MicroUsd,
  type Rate,
  RATE_ONE,
  type Wallet,
} from "@fairtick/domain";
import type { Output, userFigures } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";

type Figures = Output<typeof userFigures>;

export const WEEKS_MAX = 26;
export const WEEK_MS = 7n * DAY_MS;
/** 1970-01-05, the first Monday. Weeks begin on Mondays at 00:00 UTC. */
const FIRST_MONDAY = 4n * DAY_MS;
/** Far longer than any order runs. An order settled in a week was accepted at most this long before the week. */
const LONGEST_LIFE_MS = 2n * DAY_MS;

interface WeekRow {
  readonly week: bigint;
  readonly won: bigint;
  readonly lost: bigint;
  readonly tied: bigint;
  readonly voided: bigint;
  readonly staked: bigint;
  readonly profit: bigint;
  readonly risked: bigint;
  readonly at_stake: bigint;
}

export function startOfWeek(at: Instant): Instant {
  return (divideDown(at - FIRST_MONDAY, WEEK_MS) * WEEK_MS + FIRST_MONDAY) as Instant;
}

/**
 * Reads a wallet's settled orders by week of settlement, oldest first: every week from the first one with an order to the
 * current one, at most 26. Voided orders are counted, but their stakes aren't. `ownRate` is the share of won orders among won
 * and lost ones. `breakEven` is the share that these orders needed to win, each weighted by the amount it risked.
 */
export async function readFigures(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  wallet: Wallet,
  now: Instant,
): Promise<Figures> {
  const thisWeek = startOfWeek(now);
  const from = (thisWeek - BigInt(WEEKS_MAX - 1) * WEEK_MS) as Instant;
  const rows = await databases.reader.query<WeekRow>(
    `SELECT (s.settled_at - $3::bigint) / $4::bigint AS week,
       count(*) FILTER (WHERE s.outcome = 'won') AS won, count(*) FILTER (WHERE s.outcome = 'lost') AS lost,
       count(*) FILTER (WHERE s.outcome = 'tied') AS tied, count(*) FILTER (WHERE s.outcome = 'voided') AS voided,
       coalesce(sum(o.stake) FILTER (WHERE s.outcome <> 'voided'), 0)::bigint AS staked,
       sum(s.profit)::bigint AS profit,
       coalesce(sum(o.stake + o.fee) FILTER (WHERE s.outcome IN ('won', 'lost')), 0)::bigint AS risked,
       coalesce(sum(o.stake + o.fee + o.profit_if_won) FILTER (WHERE s.outcome IN ('won', 'lost')), 0)::bigint AS at_stake
     FROM orders o JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id
     WHERE o.member_id = $1 AND o.wallet = $2 AND s.settled_at >= $3 AND o.order_id >= $5
     GROUP BY week ORDER BY week`,
    [memberId, wallet, from, WEEK_MS, firstIdAt((from - LONGEST_LIFE_MS) as Instant)],
  );
  const byWeek = new Map(rows.map((row) => [row.week, row]));
  const first = rows[0]?.week ?? BigInt(WEEKS_MAX - 1);
  const weeks: Figures["weeks"] = [];
  for (let week = first; week < BigInt(WEEKS_MAX); week += 1n) {
    weeks.push(presentWeek(Number(from + week * WEEK_MS), byWeek.get(week) ?? NO_ORDERS));
  }
  const sum = (pick: (row: WeekRow) => bigint) => rows.reduce((total, row) => total + pick(row), 0n);
  const won = sum((row) => row.won);
  const decided = won + sum((row) => row.lost);
  const atStake = sum((row) => row.at_stake);
  return {
    weeks,
    breakEven: atStake === 0n ? null : formatRate(divideUp(sum((row) => row.risked) * RATE_ONE, atStake) as Rate),
    ownRate: decided === 0n ? null : formatRate(divideHalfEven(won * RATE_ONE, decided) as Rate),
  };
}

/** Figures of a week without orders. */
const NO_ORDERS = { won: 0n, lost: 0n, tied: 0n, voided: 0n, staked: 0n, profit: 0n };

function presentWeek(start: number, row: Pick<WeekRow, keyof typeof NO_ORDERS>): Figures["weeks"][number] {
  return {
    start,
    orders: Number(row.won + row.lost + row.tied + row.voided),
    won: Number(row.won),
    lost: Number(row.lost),
    tied: Number(row.tied),
    voided: Number(row.voided),
    staked: formatMoney(row.staked as MicroUsd),
    profit: formatMoney(row.profit as MicroUsd),
  };
}

import type { Direction, Instant, Wallet } from "@fairtick/domain";
import { DAY_MS, firstIdAt } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** What was settled with the same terms in a span, as it adds up over spans. Amounts in micro-USD. */
export interface TermsCount {
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly duration: number;
  readonly direction: Direction;
  readonly won: bigint;
  readonly lost: bigint;
  readonly tied: bigint;
  readonly no_entry: bigint;
  readonly limit_passed: bigint;
  readonly no_tick: bigint;
  readonly stale: bigint;
  readonly staked: bigint;
  readonly result: bigint;
  /** Twice what members would have got at even chances. */
  readonly fair_twice: bigint;
  /** Sum of the squares of each window's (won − lost). */
  readonly swing: number;
  /** The same of each window's result less what was to be expected. */
  readonly money_swing: number;
}

/** An order runs 70 minutes at most; whatever was settled in a span was accepted little before it. */
const LONGEST_LIFE_MS = DAY_MS / 12n;

/**
 * Counts what was settled from `from` until `to`. Orders that ran at the same time on the same instrument share one move
 * of its price, so they are no independent coins: a window as long as the order counts as one.
 */
export async function countSettled(database: Queryable, from: Instant, to: Instant): Promise<TermsCount[]> {
  return database.query<TermsCount>(
    `WITH windows AS (
       SELECT o.wallet, o.symbol, o.duration, o.direction, coalesce(s.entry_at, o.accepted_at) / (o.duration * 1000::bigint) AS at,
         count(*) FILTER (WHERE s.outcome = 'won') AS won, count(*) FILTER (WHERE s.outcome = 'lost') AS lost,
         count(*) FILTER (WHERE s.outcome = 'tied') AS tied,
         count(*) FILTER (WHERE s.void_reason = 'NO_ENTRY_TICK') AS no_entry,
         count(*) FILTER (WHERE s.void_reason = 'LIMIT_PASSED') AS limit_passed,
         count(*) FILTER (WHERE s.void_reason = 'NO_TICK_BETWEEN') AS no_tick,
         count(*) FILTER (WHERE s.void_reason = 'STALE_EXIT') AS stale,
         coalesce(sum(o.stake) FILTER (WHERE s.outcome <> 'voided'), 0) AS staked, sum(s.profit) AS result,
         coalesce(sum(o.profit_if_won - o.stake - o.fee) FILTER (WHERE s.outcome IN ('won', 'lost')), 0) AS fair_twice
       FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
       WHERE s.settled_at >= $1 AND s.settled_at < $2 AND s.order_id >= $3 AND o.order_id >= $3
       GROUP BY o.wallet, o.symbol, o.duration, o.direction, at)
     SELECT wallet, symbol, duration, direction, sum(won)::bigint AS won, sum(lost)::bigint AS lost, sum(tied)::bigint AS tied,
       sum(no_entry)::bigint AS no_entry, sum(limit_passed)::bigint AS limit_passed, sum(no_tick)::bigint AS no_tick,
       sum(stale)::bigint AS stale, sum(staked)::bigint AS staked, sum(result)::bigint AS result,
       sum(fair_twice)::bigint AS fair_twice, sum((won - lost) ^ 2)::float8 AS swing,
       sum(((result - fair_twice / 2)::float8) ^ 2)::float8 AS money_swing
     FROM windows GROUP BY wallet, symbol, duration, direction ORDER BY wallet, symbol, duration, direction`,
    [from, to, firstIdAt((from - LONGEST_LIFE_MS) as Instant)],
    "fairness_count_settled",
  );
}

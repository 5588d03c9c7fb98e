import { DAY_MS, type Direction, firstIdAt, type Instant, startOfUtcDay, utcDay, type Wallet } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { addRefusals } from "./count-refusals.ts";

/** How many UTC days the public figures cover, including today. */
export const FAIRNESS_DAYS = 30;

/** Sums of the orders with the same terms that were settled on one day. They can be added up over days. Amounts in micro-USD. */
export interface TermsCount {
  /** The UTC day, in days since 1970. */
  readonly day: bigint;
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly duration: number;
  /** Orders without a direction (sealed and never revealed) aren't in these counts. */
  readonly direction: Present<Direction>;
  readonly won: bigint;
  readonly lost: bigint;
  readonly tied: bigint;
  readonly no_entry: bigint;
  readonly limit_passed: bigint;
  readonly no_tick: bigint;
  readonly stale: bigint;
  readonly staked: bigint;
  readonly result: bigint;
  /** Twice the result that members could expect if both directions were equally likely. */
  readonly fair_twice: bigint;
  /** Sum over all windows of (won − lost)². */
  readonly swing: number;
  /** Sum over all windows of (result − expected result)². */
  readonly money_swing: number;
}

/** An order runs at most 70 minutes, so one that was settled after an instant was accepted less than this long before it. */
const LONGEST_LIFE_MS = DAY_MS / 12n;
export const firstDay = (now: Instant) => utcDay(now) - FAIRNESS_DAYS + 1;

/**
 * Returns the instant up to which settlements are in the counts, and an id that is not above that of any order settled since
 * then.
 */
export async function uncounted(database: Queryable, now: Instant): Promise<readonly [from: Instant, firstId: bigint]> {
  const [row] = await database.query<{ through: Instant }>(
    "SELECT through FROM fairness_progress",
    [],
    "fairness_through",
  );
  const [through, earliest] = [row?.through ?? (0n as Instant), startOfUtcDay(firstDay(now))];
  const from = through > earliest ? through : earliest;
  return [from, firstIdAt((from - LONGEST_LIFE_MS) as Instant)];
}

/**
 * Arguments of the `fairness_…_between` functions, from the counted time on. The statement reads that time again, since it may
 * have moved after `uncounted` read it.
 */
export const SINCE = "greatest($1::bigint, (SELECT through FROM fairness_progress)), 9000000000000000, $2::bigint";

/**
 * Reads what was settled on all covered days: the stored counts, and the settlements that aren't in them yet. Orders that ran
 * at the same time on the same instrument depend on the same price move, so they aren't independent coin tosses. All orders
 * of a window as long as their duration count as one toss, even if only some of them are in the stored counts.
 */
export async function countSettled(database: Queryable, now: Instant): Promise<TermsCount[]> {
  return database.query<TermsCount>(
    `WITH windows AS (
       SELECT day, wallet, symbol, duration, direction, at, sum(won) AS won, sum(lost) AS lost, sum(tied) AS tied, sum(no_entry) AS no_entry,
         sum(limit_passed) AS limit_passed, sum(no_tick) AS no_tick, sum(stale) AS stale, sum(staked) AS staked, sum(result) AS result,
         sum(fair_twice) AS fair_twice
       FROM (SELECT * FROM fairness_windows WHERE day >= $3 UNION ALL SELECT * FROM fairness_windows_between(${SINCE})) each
       GROUP BY day, wallet, symbol, duration, direction, at)
     SELECT day, wallet, symbol, duration, direction, sum(won)::bigint AS won, sum(lost)::bigint AS lost, sum(tied)::bigint AS tied,
       sum(no_entry)::bigint AS no_entry, sum(limit_passed)::bigint AS limit_passed, sum(no_tick)::bigint AS no_tick,
       sum(stale)::bigint AS stale, sum(staked)::bigint AS staked, sum(result)::bigint AS result,
       sum(fair_twice)::bigint AS fair_twice, sum((won - lost) ^ 2)::float8 AS swing,
       sum(((result - fair_twice / 2)::float8) ^ 2)::float8 AS money_swing
     FROM windows GROUP BY day, wallet, symbol, duration, direction
     UNION ALL SELECT * FROM fairness_days WHERE day >= $3
     ORDER BY wallet, symbol, duration, direction, day`,
    [...(await uncounted(database, now)), firstDay(now)],
    "fairness_count_settled",
  );
}

/** Adds new settlements to the counts, a day at a time. Returns the instant up to which everything is counted. */
export async function addCounts({ databases }: Pick<Context, "databases">, now: Instant): Promise<bigint> {
  const jobs = databases.jobs;
  for (;;) {
    const [row] = await jobs.query<{ through: bigint }>("SELECT through FROM fairness_progress");
    const before = row?.through ?? 0n;
    const [, firstId] = await uncounted(jobs, now);
    const [after] = await jobs.query<{ through: bigint }>("SELECT count_fairness($1, $2, $3, $4) AS through", [
      before,
      now,
      firstId,
      firstDay(now),
    ]);
    const through = after?.through ?? before;
    if (through === before || through % DAY_MS !== 0n) return through;
  }
}

async function countAll(context: Pick<Context, "databases">, now: Instant): Promise<void> {
  await addCounts(context, now);
  await addRefusals(context, firstDay(now));
}

const EVERY_MS = 15_000;

/** Adds new settlements and refusals to the counts every 15 seconds, until stopped. */
export function startCounting(context: Pick<Context, "databases" | "clock" | "log">): Rounds {
  const failed = "settlements could not be counted; the next round tries again";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed, atStart: false }, () =>
    countAll(context, context.clock.now()),
  );
}

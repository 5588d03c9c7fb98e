import { DAY_MS, type Direction, firstIdAt, type Instant, startOfUtcDay, utcDay, type Wallet } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { addRefusals } from "./count-refusals.ts";

/** UTC days that are told of, today included. */
export const FAIRNESS_DAYS = 30;

/** What was settled on a day with the same terms, as it adds up over days. Amounts in micro-USD. */
export interface TermsCount {
  /** UTC days since 1970. */
  readonly day: bigint;
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly duration: number;
  /** What has none is counted apart. */
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
  /** Twice what members would have got at even chances. */
  readonly fair_twice: bigint;
  /** Sum of the squares of each window's (won − lost). */
  readonly swing: number;
  /** The same of each window's result less what was to be expected. */
  readonly money_swing: number;
}

/** An order runs 70 minutes at most; whatever was settled after a moment was accepted little before it. */
const LONGEST_LIFE_MS = DAY_MS / 12n;
export const firstDay = (now: Instant) => utcDay(now) - FAIRNESS_DAYS + 1;

/** From where what is settled is not in the counts yet, and an id that no order settled since then is below. */
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

/** The end of what is counted moves between two statements: a statement of its own takes it again. */
export const SINCE = "greatest($1::bigint, (SELECT through FROM fairness_progress)), 9000000000000000, $2::bigint";

/**
 * What was settled in all the days: the counts that are there, and what is too young for them. Orders that ran at the same
 * time on the same instrument share one move of its price, so they are no independent coins: a window as long as the order
 * counts as one, also where some of it is counted and some is not yet.
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

/** Adds what was settled since the last time to the counts, a day at a time. Answers how far everything is counted. */
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

/** Keeps the counts up with what is settled, until stopped. */
export function startCounting(context: Pick<Context, "databases" | "clock" | "log">): Rounds {
  const failed = "what was settled could not be counted; it is with the next round";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed, atStart: false }, () =>
    countAll(context, context.clock.now()),
  );
}

import { readFileSync } from "node:fs";
import type { Context } from "../../platform/context.ts";
import { END, type Stretch } from "./sweep.ts";

export interface Violation {
  /** The invariant's name, such as `I2`. */
  readonly invariant: string;
  readonly about: string;
  readonly wrong: string;
}

const HEAD = /^-- check (I[0-9]+|whole): .*$/m;

/** Queries of one SQL file, by the invariant that each one checks. */
const CHECKS: readonly { readonly invariant: string; readonly sql: string }[] = (() => {
  const [, ...parts] = readFileSync(new URL("invariants.sql", import.meta.url), "utf8").split(HEAD);
  const checks = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    checks.push({ invariant: parts[index] ?? "", sql: (parts[index + 1] ?? "").trim() });
  }
  return checks;
})();

const SHOWN_MAX = 5;
const NOTHING: Stretch = { from: 0n, to: 0n };
const EVERYTHING: Stretch = { from: 0n, to: END };
/** An upper bound that is later than any fact. */
const NEVER = 9_000_000_000_000_000n;

/**
 * Finds violations among facts made at or after `since` (ms; 0 for all facts), at most the first few of each invariant.
 */
export function checkInvariants(context: Pick<Context, "databases">, since: bigint): Promise<readonly Violation[]> {
  return runChecks(context, CHECKS, since, since === 0n ? EVERYTHING : NOTHING);
}

/** Finds violations of some invariants within one stretch of what they examine, however old it is. */
export function checkStretch(
  context: Pick<Context, "databases">,
  invariants: readonly string[],
  stretch: Stretch,
): Promise<readonly Violation[]> {
  const checks = CHECKS.filter(({ invariant }) => invariants.includes(invariant));
  return runChecks(context, checks, NEVER, stretch);
}

function runChecks(
  { databases }: Pick<Context, "databases">,
  checks: typeof CHECKS,
  since: bigint,
  { from, to }: Stretch,
): Promise<readonly Violation[]> {
  return databases.jobs.transaction(async (transaction) => {
    await transaction.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // PostgreSQL's statistics are older than the newest facts. It therefore assumes that their numbers lie at the end of an
    // index, and plans a merge join that reads the whole index for each member.
    await transaction.query("SET LOCAL enable_mergejoin = off");
    const violations: Violation[] = [];
    for (const { invariant, sql } of checks) {
      const rows = await transaction.query<{ about: string; wrong: string }>(
        `SELECT about, wrong FROM (${sql}\n) AS violations(about, wrong)
         WHERE $1::bigint IS NOT NULL AND $2::bigint IS NOT NULL AND $3::bigint IS NOT NULL LIMIT ${SHOWN_MAX}`,
        [since, from, to],
      );
      violations.push(
        ...rows.map(({ about, wrong }) => ({ invariant: invariant === "whole" ? "I2" : invariant, about, wrong })),
      );
    }
    return violations;
  });
}

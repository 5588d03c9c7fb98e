import { readFileSync } from "node:fs";
import type { Context } from "../../platform/context.ts";

export interface Violation {
  /** `I2` */
  readonly invariant: string;
  readonly about: string;
  readonly wrong: string;
}

const HEAD = /^-- check (I[0-9]+): .*$/m;

/** The file's queries by the invariant they check. */
const CHECKS: readonly { readonly invariant: string; readonly sql: string }[] = (() => {
  const [, ...parts] = readFileSync(new URL("invariants.sql", import.meta.url), "utf8").split(HEAD);
  const checks = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    checks.push({ invariant: parts[index] ?? "", sql: (parts[index + 1] ?? "").trim() });
  }
  return checks;
})();

const SHOWN_MAX = 5;

/** Every violation among facts made at or after `since` (ms; 0 for all there are), the first few of each invariant. */
export async function checkInvariants(
  { databases }: Pick<Context, "databases">,
  since: bigint,
): Promise<readonly Violation[]> {
  return databases.jobs.transaction(async (transaction) => {
    await transaction.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const violations: Violation[] = [];
    for (const { invariant, sql } of CHECKS) {
      const rows = await transaction.query<{ about: string; wrong: string }>(
        `SELECT about, wrong FROM (${sql}\n) AS violations(about, wrong) WHERE $1::bigint IS NOT NULL LIMIT ${SHOWN_MAX}`,
        [since],
      );
      violations.push(...rows.map(({ about, wrong }) => ({ invariant, about, wrong })));
    }
    return violations;
  });
}

import type { Context } from "../../platform/context.ts";

/** How many entries of the log one statement examines at most. */
const ENTRIES_MAX = 20_000n;

/**
 * Adds the refusals in new entries of the log to the counts by day and reason. Counts of days before `firstDay` (days since
 * 1970) are deleted.
 */
export async function addRefusals({ databases }: Pick<Context, "databases">, firstDay: number): Promise<void> {
  for (;;) {
    const [row] = await databases.jobs.query<{ entries: bigint }>("SELECT count_refusals($1, $2) AS entries", [
      ENTRIES_MAX,
      firstDay,
    ]);
    if ((row?.entries ?? 0n) < ENTRIES_MAX) return;
  }
}

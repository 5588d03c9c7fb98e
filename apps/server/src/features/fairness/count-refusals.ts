import type { Context } from "../../platform/context.ts";

/** Entries of the log that one statement counts. */
const ENTRIES_MAX = 20_000n;

/** Counts the refusals that the log has since the last time, by day and reason. `firstDay`: older ones are forgotten; days since 1970. */
export async function addRefusals({ databases }: Pick<Context, "databases">, firstDay: number): Promise<void> {
  for (;;) {
    const [row] = await databases.jobs.query<{ entries: bigint }>("SELECT count_refusals($1, $2) AS entries", [
      ENTRIES_MAX,
      firstDay,
    ]);
    if ((row?.entries ?? 0n) < ENTRIES_MAX) return;
  }
}

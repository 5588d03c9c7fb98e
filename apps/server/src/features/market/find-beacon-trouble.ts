import { type Instant, SM1_EPOCH_MS } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** How many rounds to look back: one minute's worth. */
const LOOK_BACK = 20;

/**
 * Finds out whether the beacon's newest rounds failed to come in time for the running epoch, so that simulated prices
 * have stopped. Returns the trouble as a sentence; undefined while rounds come, or if no epoch needs any.
 */
export async function findBeaconTrouble(database: Queryable, now: Instant): Promise<string | undefined> {
  const rows = await database.query<{ round: bigint; came: boolean }>(
    `SELECT r.round, r.signature IS NOT NULL AS came FROM sm2_rounds r JOIN sm1_epochs e USING (epoch)
     WHERE e.start_at BETWEEN $1::bigint - $2::bigint AND $1
     ORDER BY r.epoch DESC, r.round DESC LIMIT $3`,
    [now, SM1_EPOCH_MS, LOOK_BACK],
  );
  const lastCame = rows.findIndex(({ came }) => came);
  const missing = lastCame < 0 ? rows : rows.slice(0, lastCame);
  const first = missing.at(-1);
  if (first === undefined) return undefined;
  return `the randomness beacon does not answer: no round from ${first.round} on, so there are no simulated prices`;
}

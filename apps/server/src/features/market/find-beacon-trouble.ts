import { SM1_EPOCH_MS } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** Rounds looked back on: those of a minute. */
const LOOK_BACK = 20;

/**
 * Says that the beacon's newest rounds did not come, as the market decided of the epoch that runs; undefined while they come, and
 * where no epoch needs any. Simulated prices stand still then.
 */
export async function findBeaconTrouble(database: Queryable): Promise<string | undefined> {
  const rows = await database.query<{ round: bigint; came: boolean }>(
    `SELECT r.round, r.signature IS NOT NULL AS came FROM sm2_rounds r JOIN sm1_epochs e USING (epoch)
     WHERE (extract(epoch FROM clock_timestamp()) * 1000)::bigint - e.start_at BETWEEN 0 AND $1::bigint
     ORDER BY r.epoch DESC, r.round DESC LIMIT $2`,
    [SM1_EPOCH_MS, LOOK_BACK],
  );
  const lastCame = rows.findIndex(({ came }) => came);
  const missing = lastCame < 0 ? rows : rows.slice(0, lastCame);
  const first = missing.at(-1);
  if (first === undefined) return undefined;
  return `the randomness beacon does not answer: no round from ${first.round} on, so there are no simulated prices`;
}

import { crashPoint } from "../../platform/crash-point.ts";
import type { PayoutInstance, PayoutParts } from "../payouts/index.ts";

/**
 * Finds addresses that hold enough to be swept. Its cost depends on what is at addresses now, not on all past deposits.
 */
export const FULL_ADDRESSES = `SELECT u.address, a.child FROM unswept_deposits u JOIN deposit_addresses a ON a.chain = $2 AND a.address = u.address
     WHERE u.instance_id = $1 GROUP BY u.address, a.child HAVING sum(u.units) >= $3 ORDER BY u.address LIMIT 100`;

/** Plans a sweep of every address that holds enough. */
export async function planSweeps(
  { databases, settings, ids }: PayoutParts,
  instance: PayoutInstance,
  above: bigint,
): Promise<void> {
  const full = await databases.payout.query<{ address: string; child: number }>(FULL_ADDRESSES, [
    instance.instanceId,
    settings.chain,
    above,
  ]);
  for (const { address, child } of full) {
    await databases.payout.query("SELECT plan_sweep($1, $2, $3, $4, $5)", [
      ids.next(),
      instance.instanceId,
      address,
      child,
      above,
    ]);
    crashPoint("sweep.planned");
  }
}

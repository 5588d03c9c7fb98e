import type { Instant, MemberId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** Ids of a member's running orders that were accepted at or after an instant. */
export async function readRunningOrderIds(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  acceptedSince: Instant,
): Promise<bigint[]> {
  const rows = await databases.reader.query<{ order_id: bigint }>(
    `SELECT order_id FROM orders o JOIN open_orders r USING (order_id)
     WHERE o.member_id = $1 AND r.accepted_at >= $2 AND o.order_id >= (SELECT min(order_id) FROM open_orders)`,
    [memberId, acceptedSince],
  );
  return rows.map((row) => row.order_id);
}

import type { Instant, MemberId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { STILL_RUNS } from "../ledger/index.ts";

/** Ids of a member's running orders that were accepted at or after an instant. */
export async function readRunningOrderIds(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  acceptedSince: Instant,
): Promise<bigint[]> {
  const rows = await databases.reader.query<{ order_id: bigint }>(
    `SELECT order_id FROM orders o WHERE o.member_id = $1 AND o.accepted_at >= $2 AND ${STILL_RUNS}`,
    [memberId, acceptedSince],
  );
  return rows.map((row) => row.order_id);
}

import type { MemberId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";

const NOBODY = "–";

/**
 * Sends a member a message with the people who look after them now, in the transaction that assigned them. Sends
 * nothing if there are none. Names the same people as the member's screen (`vip_of`), so not someone who has left
 * support.
 */
export async function tellVip(db: Queryable, memberId: MemberId): Promise<void> {
  const rows = await db.query<{ post: "manager" | "analyst"; name: string }>(
    `SELECT v.post, o.name FROM vip_assignments v JOIN operators o USING (operator_id) JOIN operator_roles r USING (operator_id)
     WHERE v.member_id = $1 AND o.disabled_at IS NULL AND r.role = 'support'`,
    [memberId],
  );
  if (rows.length === 0) return;
  const nameOf = (post: string) => rows.find((row) => row.post === post)?.name ?? NOBODY;
  await tellMember(db, memberId, "vipAssigned", { manager: nameOf("manager"), analyst: nameOf("analyst") });
}

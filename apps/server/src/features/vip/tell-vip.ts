import type { MemberId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";

const NOBODY = "–";

/**
 * Writes to a member who looks after them now, in the transaction that assigned those people; nothing where nobody does.
 * Names whom the member's screen shows (`vip_of`): somebody who has left support looks after nobody.
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

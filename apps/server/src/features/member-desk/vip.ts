import { accept, type MemberId, parseId, refuse, type Verdict } from "@fairtick/domain";
import type { MemberFile, VipPerson } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { type FilePurpose, formatFileId } from "../files/index.ts";
import { tellVip } from "../vip/index.ts";
import { formatOperatorId, parseOperatorId } from "../operators/index.ts";

/** Lists the people of support who may be assigned to members, by login. */
export async function listVipPeople(db: Queryable): Promise<VipPerson[]> {
  const rows = await db.query<{
    operator_id: bigint;
    login: string;
    name: string;
    hours: string | null;
    members: bigint;
  }>(
    `SELECT o.operator_id, o.login, o.name, h.hours, (SELECT count(*) FROM vip_assignments v WHERE v.operator_id = o.operator_id) AS members
     FROM operators o LEFT JOIN operator_hours h USING (operator_id)
     WHERE o.disabled_at IS NULL AND EXISTS (SELECT FROM operator_roles r WHERE r.operator_id = o.operator_id AND r.role = 'support')
     ORDER BY o.login`,
  );
  return rows.map((row) => ({
    operatorId: formatOperatorId(row.operator_id),
    login: row.login,
    name: row.name,
    hours: row.hours,
    members: Number(row.members),
  }));
}

/**
 * Assigns someone to a member's post, or no one, and tells the member. Refuses NOT_FOUND for an unknown member or
 * operator. The database refuses CONFLICT for a member who isn't verified and a person who isn't of support.
 */
export async function assignVip(
  db: Queryable,
  session: OperatorSession,
  wish: { readonly memberId: string; readonly post: "manager" | "analyst"; readonly operatorId?: string | undefined },
): Promise<Verdict<MemberId>> {
  const memberId = parseId("member", wish.memberId);
  const person = wish.operatorId === undefined ? null : parseOperatorId(wish.operatorId);
  if (memberId === null || (wish.operatorId !== undefined && person === null)) return refuse("NOT_FOUND");
  await db.query("SELECT assign_vip($1, $2, $3, $4)", [session.sessionId, memberId, wish.post, person]);
  if (person !== null) await tellVip(db, memberId);
  return accept(memberId);
}

const FILES_MAX = 200;

/** Lists the files that a member uploaded, newest first. Refuses NOT_FOUND for an unknown id. */
export async function listMemberFiles(db: Queryable, id: string): Promise<Verdict<MemberFile[]>> {
  const memberId = parseId("member", id);
  if (memberId === null) return refuse("NOT_FOUND");
  const rows = await db.query<{
    file_id: bigint;
    purpose: FilePurpose;
    bytes: number;
    made_at: bigint;
    claimed_by: string | null;
    name: string | null;
  }>(
    "SELECT file_id, purpose, bytes, made_at, claimed_by, name FROM files WHERE member_id = $1 AND sent_by IS NULL ORDER BY file_id DESC LIMIT $2",
    [memberId, FILES_MAX],
  );
  return accept(
    rows.map((row) => ({
      fileId: formatFileId(row.file_id),
      purpose: row.purpose,
      bytes: row.bytes,
      madeAt: Number(row.made_at),
      claimedBy: row.claimed_by,
      name: row.name,
    })),
  );
}

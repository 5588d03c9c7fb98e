import {
  chooseVip,
  type Instant,
  type MemberId,
  openingHours,
  type SupportHours,
  type VipCandidate,
} from "@fairtick/domain";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { tellVip } from "./tell-vip.ts";

const POSTS = ["manager", "analyst"] as const;

/**
 * Assigns a manager and an analyst to a member who has just been verified, in the caller's transaction, and tells the
 * member who they are. Posts that are already filled stay as they are. If support has no one, nothing happens.
 */
export async function assignVipByRule(
  db: Queryable,
  session: OperatorSession,
  memberId: MemberId,
  { supportHours, now }: { readonly supportHours: SupportHours; readonly now: Instant },
): Promise<void> {
  // One assignment at a time, so that two members verified at once don't both count the same load.
  await db.query("SELECT pg_advisory_xact_lock(6270100)");
  let isNew = false;
  for (const post of POSTS) {
    const people = await readCandidates(db, openingHours(supportHours));
    const chosen = chooseVip(people, now, await holderOfOther(db, memberId, post));
    if (chosen === null) return;
    const [row] = await db.query<{ done: boolean }>("SELECT assign_vip_by_rule($1, $2, $3, $4) AS done", [
      session.sessionId,
      memberId,
      post,
      chosen.operatorId,
    ]);
    isNew ||= row?.done ?? false;
  }
  if (isNew) await tellVip(db, memberId);
}

async function readCandidates(db: Queryable, deskHours: string): Promise<VipCandidate[]> {
  const rows = await db.query<{ operator_id: bigint; hours: string | null; posts: bigint }>(
    `SELECT o.operator_id, h.hours, (SELECT count(*) FROM vip_assignments v WHERE v.operator_id = o.operator_id) AS posts
     FROM operators o JOIN operator_roles r USING (operator_id) LEFT JOIN operator_hours h USING (operator_id)
     WHERE o.disabled_at IS NULL AND r.role = 'support'`,
  );
  return rows.map(({ operator_id: operatorId, hours, posts }) => ({
    operatorId,
    hours: hours ?? deskHours,
    posts: Number(posts),
  }));
}

async function holderOfOther(db: Queryable, memberId: MemberId, post: (typeof POSTS)[number]): Promise<bigint | null> {
  const [row] = await db.query<{ operator_id: bigint }>(
    "SELECT operator_id FROM vip_assignments WHERE member_id = $1 AND post <> $2",
    [memberId, post],
  );
  return row?.operator_id ?? null;
}

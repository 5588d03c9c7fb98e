import { accept, type MemberId, parseId, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";
import { decideProposal, makeProposal, type OperatorContext, presentProposal } from "../operators/index.ts";
import { readWaitingLift } from "./read-members.ts";

interface Wish {
  readonly memberId: string;
  readonly reason: string;
}

/**
 * Suspends a member. Their running orders still settle as agreed. Refuses NOT_FOUND, and CONFLICT for a member who is
 * already suspended or closed.
 */
export async function suspendMember(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  { memberId: id, reason }: Wish,
): Promise<Verdict<MemberId>> {
  const memberId = await knownMember(db, id);
  if (memberId === null) return refuse("NOT_FOUND");
  const [row] = await db.query<{ done: boolean }>("SELECT suspend_member($1, $2, $3, $4) AS done", [
    context.ids.next(),
    session.sessionId,
    memberId,
    reason,
  ]);
  if (row?.done !== true) return refuse("CONFLICT");
  await tellMember(db, memberId, "accountSuspended", { reason });
  return accept(memberId);
}

/**
 * Lifts a suspension that is at most 24 hours old. Proposes to lift an older one, which a second person decides
 * (`reviewStanding`). Refuses NOT_FOUND, and CONFLICT if the member isn't suspended or lifting is already proposed.
 */
export async function liftSuspension(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  { memberId: id, reason }: Wish,
): Promise<Verdict<{ readonly memberId: MemberId; readonly done: "lifted" | "proposed" }>> {
  const memberId = await knownMember(db, id);
  if (memberId === null) return refuse("NOT_FOUND");
  const [open] = await db.query<{ suspension_id: bigint; old: boolean }>(
    `SELECT suspension_id, extract(epoch FROM clock_timestamp()) * 1000 - suspended_at > 86400000 AS old
     FROM suspensions WHERE member_id = $1 AND lifted_at IS NULL`,
    [memberId],
  );
  if (open === undefined) return refuse("CONFLICT");
  if (!open.old) {
    await lift(db, session, memberId, null, reason);
    return accept({ memberId, done: "lifted" });
  }
  if ((await readWaitingLift(db, memberId)) !== null) return refuse("CONFLICT");
  await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "lift",
    reason,
    memberId,
    body: JSON.stringify({ suspensionId: String(open.suspension_id) }),
  });
  return accept({ memberId, done: "proposed" });
}

/**
 * Reviews a suspension as the second person. `lift` approves the waiting proposal; `keep` rejects it, if there is one,
 * and marks the suspension as reviewed. Refuses NOT_FOUND, CONFLICT if there is nothing to review, FORBIDDEN for the
 * first person.
 */
export async function reviewStanding(
  db: Queryable,
  session: OperatorSession,
  { memberId: id, reason, decision }: Wish & { readonly decision: "keep" | "lift" },
): Promise<Verdict<MemberId>> {
  const memberId = await knownMember(db, id);
  if (memberId === null) return refuse("NOT_FOUND");
  const waiting = await readWaitingLift(db, memberId);
  if (waiting !== null) {
    const decided = await decideProposal(db, session, {
      kind: "lift",
      proposalId: presentProposal(waiting).proposalId,
      decision: decision === "lift" ? "approved" : "rejected",
      reason,
    });
    if (!decided.ok) return decided;
    if (decision === "lift") await lift(db, session, memberId, waiting.proposal_id, reason);
    else await markReviewed(db, session, memberId, reason);
    return accept(memberId);
  }
  if (decision === "lift") return refuse("CONFLICT");
  const [open] = await db.query<{ suspended_by: bigint }>(
    "SELECT suspended_by FROM suspensions WHERE member_id = $1 AND lifted_at IS NULL AND reviewed_at IS NULL",
    [memberId],
  );
  if (open === undefined) return refuse("CONFLICT");
  if (open.suspended_by === session.operatorId) return refuse("FORBIDDEN");
  return (await markReviewed(db, session, memberId, reason)) ? accept(memberId) : refuse("CONFLICT");
}

/** Marks a suspension as reviewed. Returns false if it was reviewed before or is this person's own. */
async function markReviewed(
  db: Queryable,
  session: OperatorSession,
  memberId: MemberId,
  reason: string,
): Promise<boolean> {
  const [row] = await db.query<{ done: boolean }>(
    `SELECT review_suspension($1, $2, $3) AS done FROM suspensions
     WHERE member_id = $2 AND lifted_at IS NULL AND reviewed_at IS NULL AND suspended_by <> $4`,
    [session.sessionId, memberId, reason, session.operatorId],
  );
  return row?.done === true;
}

async function lift(
  db: Queryable,
  session: OperatorSession,
  memberId: MemberId,
  proposalId: bigint | null,
  reason: string,
): Promise<void> {
  await db.query("SELECT lift_suspension($1, $2, $3, $4)", [session.sessionId, memberId, proposalId, reason]);
  await tellMember(db, memberId, "suspensionLifted", {});
}

async function knownMember(db: Queryable, id: string): Promise<MemberId | null> {
  const memberId = parseId("member", id);
  if (memberId === null) return null;
  const known = await db.query("SELECT 1 FROM members WHERE member_id = $1", [memberId]);
  return known.length === 0 ? null : memberId;
}

import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";
import { decideProposal, makeProposal, type OperatorContext, presentProposal } from "../operators/index.ts";
import { type Decided, lockCase } from "./decide-case.ts";
import { type Agreed, findCase, readWaiting } from "./read-cases.ts";

interface Wish {
  readonly caseId: string;
  readonly reason: string;
}

/**
 * Proposes to revoke a verified identity or, for the second person, agrees to the proposal. It is then revoked, and the
 * member reads the proposer's reason. Money, orders and withdrawals aren't affected. Refuses NOT_FOUND; CONFLICT for an
 * identity that isn't verified; FORBIDDEN if both people would be the same.
 */
export async function revokeIdentity(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  { caseId, reason }: Wish,
): Promise<Verdict<Decided>> {
  await lockCase(db, caseId);
  const row = await findCase(db, caseId);
  if (row === null) return refuse("NOT_FOUND");
  if (row.state !== "verified") return refuse("CONFLICT");
  const memberId = row.member_id;
  const waiting = await readWaiting(db, row);
  if (waiting === null) {
    const agreed: Agreed = { caseId: String(row.case_id), verdict: "revoked", birthDate: null, expiresOn: null };
    await makeProposal(db, session, {
      proposalId: ids.next(),
      kind: "identity_revoke",
      reason,
      memberId,
      body: JSON.stringify(agreed),
    });
    return accept({ memberId, done: "proposed" });
  }
  const { proposalId } = presentProposal(waiting);
  const decided = await decideProposal(db, session, {
    kind: "identity_revoke",
    proposalId,
    decision: "approved",
    reason,
  });
  if (!decided.ok) return decided;
  const [done] = await db.query<{ done: boolean }>("SELECT revoke_identity($1) AS done", [waiting.proposal_id]);
  if (done?.done !== true) return refuse("CONFLICT");
  await tellMember(db, memberId, "identityRevoked", { reason: waiting.reason });
  return accept({ memberId, done: "revoked" });
}

/** Declines a proposed revocation, or withdraws one's own. Refuses NOT_FOUND; CONFLICT if none is waiting. */
export async function keepIdentity(
  db: Queryable,
  session: OperatorSession,
  { caseId, reason }: Wish,
): Promise<Verdict<Decided>> {
  await lockCase(db, caseId);
  const row = await findCase(db, caseId);
  if (row === null) return refuse("NOT_FOUND");
  const waiting = row.state === "verified" ? await readWaiting(db, row) : null;
  if (waiting === null) return refuse("CONFLICT");
  const { proposalId } = presentProposal(waiting);
  const decided = await decideProposal(db, session, {
    kind: "identity_revoke",
    proposalId,
    decision: "rejected",
    reason,
  });
  return decided.ok ? accept({ memberId: row.member_id, done: "declined" }) : decided;
}

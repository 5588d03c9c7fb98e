import { accept, type MemberId, parseId, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  decideProposal,
  listProposals,
  makeProposal,
  type OperatorContext,
  presentProposal,
} from "../operators/index.ts";
import { hasSecondFactor } from "../second-factor/index.ts";
import { type Warning, warnMember } from "../security-notices/index.ts";
import { instantText } from "../sessions/index.ts";

interface Wish {
  readonly memberId: string;
  readonly reason: string;
}

/**
 * Proposes to remove the second factors of a member who lost them all. If that is already proposed, agrees as the
 * second person: one has to be of support, the other of compliance. After a removal, withdrawals rest and the member is
 * warned; the warning is to be sent after the commit. Refuses NOT_FOUND, CONFLICT if the member has no second factor,
 * FORBIDDEN if the first person would also be the second.
 */
export async function removeLostFactor(
  context: Pick<OperatorContext, "ids" | "config">,
  db: Queryable,
  session: OperatorSession,
  { memberId: id, reason }: Wish,
): Promise<Verdict<{ readonly done: "proposed" | "removed"; readonly warnings: readonly Warning[] }>> {
  const memberId = await knownMember(db, id);
  if (memberId === null) return refuse("NOT_FOUND");
  if (!(await hasSecondFactor(db, memberId))) return refuse("CONFLICT");
  const waiting = await readWaitingRemoval(db, memberId);
  if (waiting === null) {
    await makeProposal(db, session, {
      proposalId: context.ids.next(),
      kind: "second_factor",
      reason,
      memberId,
      body: "{}",
    });
    return accept({ done: "proposed", warnings: [] });
  }
  const decided = await decideProposal(db, session, {
    kind: "second_factor",
    proposalId: presentProposal(waiting).proposalId,
    decision: "approved",
    reason,
  });
  if (!decided.ok) return decided;
  const [rest] = await db.query<{ until: bigint | null }>("SELECT open_lost_factor($1, $2) AS until", [
    waiting.proposal_id,
    context.config.withdrawalRestHours,
  ]);
  const until = rest?.until ?? null;
  const warnings = [await warnMember(db, context, memberId, { key: "secondFactorOpened", params: {} })];
  if (until !== null) {
    const params = { until: instantText(until) };
    warnings.push(await warnMember(db, context, memberId, { key: "withdrawalsRestUnprotected", params }));
  }
  return accept({ done: "removed", warnings });
}

/** Rejects a proposed removal, or withdraws one's own proposal. Refuses NOT_FOUND, and CONFLICT if none waits. */
export async function keepFactor(
  db: Queryable,
  session: OperatorSession,
  { memberId: id, reason }: Wish,
): Promise<Verdict<null>> {
  const memberId = await knownMember(db, id);
  if (memberId === null) return refuse("NOT_FOUND");
  const waiting = await readWaitingRemoval(db, memberId);
  if (waiting === null) return refuse("CONFLICT");
  const decided = await decideProposal(db, session, {
    kind: "second_factor",
    proposalId: presentProposal(waiting).proposalId,
    decision: "rejected",
    reason,
  });
  return decided.ok ? accept(null) : decided;
}

/** Reads the waiting proposal to remove a member's second factors. */
export async function readWaitingRemoval(db: Queryable, memberId: MemberId) {
  const waiting = await listProposals(db, "second_factor", { state: "waiting", limit: 1_000 });
  return waiting.ok ? (waiting.value.items.find((row) => row.member_id === memberId) ?? null) : null;
}

async function knownMember(db: Queryable, id: string): Promise<MemberId | null> {
  const memberId = parseId("member", id);
  if (memberId === null) return null;
  const known = await db.query("SELECT 1 FROM members WHERE member_id = $1", [memberId]);
  return known.length === 0 ? null : memberId;
}

/** Lets two people of compliance lift the freeze of a member who has lost everything needed to lift it themselves. */
import { accept, type Instant, type MemberId, parseId, refuse, type Verdict } from "@fairtick/domain";
import type { MemberDetail } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  decideProposal,
  listProposals,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalRow,
} from "../operators/index.ts";
import { type Warning, warnMember } from "../security-notices/index.ts";
import { beginRest, instantText } from "../sessions/index.ts";

const KIND = "member_freeze";

interface Wish {
  readonly memberId: string;
  readonly reason: string;
}

interface Freeze {
  readonly memberId: MemberId;
  readonly freezeId: bigint;
  readonly since: bigint;
  readonly by: "link" | "session";
}

async function readFreeze(db: Queryable, id: string): Promise<Freeze | null> {
  const memberId = parseId("member", id);
  if (memberId === null) return null;
  const [row] = await db.query<{ freeze_id: bigint; began_at: bigint; began_by: Freeze["by"] }>(
    "SELECT freeze_id, began_at, began_by FROM member_freezes WHERE member_id = $1 AND lifted_at IS NULL",
    [memberId],
  );
  return row === undefined ? null : { memberId, freezeId: row.freeze_id, since: row.began_at, by: row.began_by };
}

/** Reads the waiting proposal about this freeze. Ignores one about an earlier freeze. */
async function readWaiting(db: Queryable, { memberId, freezeId }: Freeze): Promise<ProposalRow | null> {
  const waiting = await listProposals(db, KIND, { state: "waiting", limit: 1_000 });
  if (!waiting.ok) return null;
  const body = JSON.stringify({ freezeId: String(freezeId) });
  return waiting.value.items.find((row) => row.member_id === memberId && row.body === body) ?? null;
}

/** Returns a member's freeze as the console shows it; null if nothing is frozen. */
export async function presentFreeze(db: Queryable, memberId: string): Promise<MemberDetail["freeze"]> {
  const freeze = await readFreeze(db, memberId);
  if (freeze === null) return null;
  const waiting = await readWaiting(db, freeze);
  const lift = waiting === null ? null : { ...presentProposal(waiting), memberId };
  return { since: Number(freeze.since), by: freeze.by, lift };
}

/** Proposes to lift a member's freeze. Refuses CONFLICT if nothing is frozen or lifting is already proposed. */
export async function proposeLiftFreeze(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  { memberId, reason }: Wish,
): Promise<Verdict<null>> {
  const freeze = await readFreeze(db, memberId);
  if (freeze === null || (await readWaiting(db, freeze)) !== null) return refuse("CONFLICT");
  await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: KIND,
    reason,
    memberId: freeze.memberId,
    body: JSON.stringify({ freezeId: String(freeze.freezeId) }),
  });
  return accept(null);
}

/**
 * Decides the proposal as the second person. Withdrawals rest for a while after a lift. Returns the warning to send
 * after the commit, or null. Refuses CONFLICT if no proposal waits or the freeze is over, FORBIDDEN for the first
 * person.
 */
export async function decideLiftFreeze(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  { memberId, reason, decision, now }: Wish & { readonly decision: "approved" | "rejected"; readonly now: Instant },
): Promise<Verdict<Warning | null>> {
  const freeze = await readFreeze(db, memberId);
  const waiting = freeze === null ? null : await readWaiting(db, freeze);
  if (freeze === null || waiting === null) return refuse("CONFLICT");
  const { proposalId } = presentProposal(waiting);
  const decided = await decideProposal(db, session, { kind: KIND, proposalId, decision, reason });
  if (!decided.ok) return decided;
  if (decision === "rejected") return accept(null);
  const [row] = await db.query<{ lifted: boolean }>("SELECT lift_member_freeze($1) AS lifted", [waiting.proposal_id]);
  if (row?.lifted !== true) return refuse("CONFLICT");
  const until = (await beginRest(db, context, freeze.memberId, "freeze")) ?? now;
  return accept(
    await warnMember(db, context, freeze.memberId, { key: "freezeLifted", params: { until: instantText(until) } }),
  );
}

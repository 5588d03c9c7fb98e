import { accept, refuse, type Verdict } from "@fairtick/domain";
import { type OperatorEntry, type OperatorProposal, type OperatorRole } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import type { OperatorContext } from "./operator-context.ts";
import { endOperatorSessions, formatOperatorId, hashOf, newToken, parseOperatorId } from "./operator-rows.ts";
import { decideProposal, listProposals, makeProposal, presentProposal, type ProposalRow } from "./proposals.ts";

interface Body {
  readonly do: "invite" | "roles" | "disable";
  /** The operator's id in decimal digits. */
  readonly operatorId: string;
  readonly login: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
}

export async function listOperators(
  db: Queryable,
): Promise<{ operators: OperatorEntry[]; proposals: OperatorProposal[] }> {
  const rows = await db.query<{
    operator_id: bigint;
    login: string;
    name: string;
    disabled_at: bigint | null;
    enrolled: boolean;
    roles: OperatorRole[];
    sessions: bigint;
    seen_at: bigint | null;
  }>(
    `SELECT operator_id, login, name, disabled_at, password_hash IS NOT NULL AS enrolled,
       ARRAY(SELECT role FROM operator_roles r WHERE r.operator_id = o.operator_id ORDER BY role) AS roles,
       (SELECT count(*) FROM operator_sessions s WHERE s.operator_id = o.operator_id AND s.ended_at IS NULL AND s.verified_at IS NOT NULL
          AND s.expires_at > extract(epoch FROM clock_timestamp()) * 1000) AS sessions,
       (SELECT max(seen_at) FROM operator_sessions s WHERE s.operator_id = o.operator_id) AS seen_at
     FROM operators o ORDER BY login`,
  );
  const proposals = await listProposals(db, "operator", { state: "all", limit: 100 });
  return {
    operators: rows.map((row) => ({
      operatorId: formatOperatorId(row.operator_id),
      login: row.login,
      name: row.name,
      roles: row.roles,
      state: stateOf(row),
      sessions: Number(row.sessions),
      seenAt: row.seen_at === null ? null : Number(row.seen_at),
    })),
    proposals: proposals.ok ? proposals.value.items.map(presentChange) : [],
  };
}

function stateOf(row: { readonly disabled_at: unknown; readonly enrolled: boolean }) {
  if (row.disabled_at !== null) return "disabled";
  return row.enrolled ? "active" : "invited";
}

/** Proposes a new operator. Refuses CONFLICT if the login is taken. */
export async function proposeInvite(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: {
    readonly login: string;
    readonly name: string;
    readonly roles: readonly OperatorRole[];
    readonly reason: string;
  },
): Promise<Verdict<OperatorProposal>> {
  const taken = await db.query("SELECT 1 FROM operators WHERE login = $1", [wish.login]);
  if (taken.length > 0) return refuse("CONFLICT");
  const operatorId = context.ids.next();
  return propose(context, db, session, wish.reason, {
    do: "invite",
    operatorId: String(operatorId),
    login: wish.login,
    name: wish.name,
    roles: [...new Set(wish.roles)],
  });
}

/** Proposes other roles, or disabling an operator. Refuses NOT_FOUND for an unknown or disabled one. */
export async function proposeChange(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly operatorId: string; readonly reason: string; readonly roles: readonly OperatorRole[] | null },
): Promise<Verdict<OperatorProposal>> {
  const id = parseOperatorId(wish.operatorId);
  const [operator] = await db.query<{ login: string; name: string }>(
    "SELECT login, name FROM operators WHERE operator_id = $1 AND disabled_at IS NULL",
    [id],
  );
  if (id === null || operator === undefined) return refuse("NOT_FOUND");
  return propose(context, db, session, wish.reason, {
    do: wish.roles === null ? "disable" : "roles",
    operatorId: String(id),
    ...operator,
    roles: [...new Set(wish.roles ?? [])],
  });
}

async function propose(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  reason: string,
  body: Body,
): Promise<Verdict<OperatorProposal>> {
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "operator",
    reason,
    body: JSON.stringify(body),
  });
  return accept(presentChange(made));
}

/**
 * Decides a proposal. An approved invitation returns its link, which is shown only this once. Refuses CONFLICT if fewer
 * than two admins would be left.
 */
export async function decideOperators(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly decision: "approved" | "rejected"; readonly reason: string },
): Promise<Verdict<{ proposal: OperatorProposal; invitation: string | null }>> {
  const decided = await decideProposal(db, session, { kind: "operator", ...what });
  if (!decided.ok) return decided;
  const proposal = presentChange(decided.value);
  if (what.decision === "rejected") return accept({ proposal, invitation: null });
  const token = proposal.change === "invite" ? newToken() : null;
  await db.query("SELECT apply_operator_change($1, $2)", [
    decided.value.proposal_id,
    token === null ? null : hashOf(token),
  ]);
  return accept({ proposal, invitation: token === null ? null : `${context.consoleUrl()}/#/invitation/${token}` });
}

/** Ends all sessions of an operator. Refuses NOT_FOUND for an unknown one. */
export async function endSessionsOf(
  db: Queryable,
  operatorId: string,
  now: Parameters<typeof endOperatorSessions>[2],
): Promise<Verdict<null>> {
  const id = parseOperatorId(operatorId);
  const known = await db.query("SELECT 1 FROM operators WHERE operator_id = $1", [id]);
  if (id === null || known.length === 0) return refuse("NOT_FOUND");
  await endOperatorSessions(db, { operatorId: id }, now);
  return accept(null);
}

function presentChange(row: ProposalRow): OperatorProposal {
  const body = JSON.parse(row.body) as Body;
  return {
    ...presentProposal(row),
    change: body.do,
    target: { operatorId: formatOperatorId(BigInt(body.operatorId)), login: body.login, name: body.name },
    roles: [...body.roles],
  };
}

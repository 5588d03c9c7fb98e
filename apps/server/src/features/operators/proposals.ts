/**
 * Decisions that take two people. A feature with such a verb adds its kind to `proposal_kinds` in a migration, makes
 * proposals with `makeProposal`, decides with `decideProposal`, and leaves the change itself to a SECURITY DEFINER
 * function of the database, which demands the approved proposal.
 */
import { accept, formatPrefixedId, parsePrefixedId, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorPerson } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { personOf } from "./operator-rows.ts";

export const formatProposalId = (id: bigint): string => formatPrefixedId("prp", id);
export const parseProposalId = (text: string): bigint | null => parsePrefixedId("prp", text);

export interface NewProposal {
  readonly proposalId: bigint;
  /** A row of `proposal_kinds`. */
  readonly kind: string;
  readonly reason: string;
  readonly memberId?: bigint;
  /** JSON; amounts are micro-USD as digits. */
  readonly body: string;
}

/** A proposal with its decision, if there is one. */
export interface ProposalRow {
  readonly proposal_id: bigint;
  readonly reason: string;
  readonly member_id: bigint | null;
  readonly body: string;
  readonly made_at: bigint;
  readonly made_by_id: bigint;
  readonly decision: "approved" | "rejected" | null;
  readonly decided_at: bigint | null;
  readonly decision_reason: string | null;
}

/** Columns for features that read proposals together with rows of their own. */
export const PROPOSAL_COLUMNS = `p.proposal_id, p.reason, p.member_id, p.body, p.made_at, p.made_by AS made_by_id, m.login AS made_by_login, m.name AS made_by_name,
  d.decision, d.decided_at, d.reason AS decision_reason, d.decided_by AS decided_by_id, c.login AS decided_by_login, c.name AS decided_by_name`;
export const PROPOSAL_JOINS = `proposals p JOIN operators m ON m.operator_id = p.made_by
  LEFT JOIN decisions d USING (proposal_id) LEFT JOIN operators c ON c.operator_id = d.decided_by`;

/** Stores a proposal. The database refuses (FORBIDDEN) operators who may not make one of this kind. */
export async function makeProposal(
  db: Queryable,
  session: OperatorSession,
  proposal: NewProposal,
): Promise<ProposalRow> {
  await db.query(
    `INSERT INTO proposals (proposal_id, kind, made_by, made_session, made_at, reason, member_id, body)
     VALUES ($1, $2, $3, $4, floor(extract(epoch FROM clock_timestamp()) * 1000), $5, $6, $7)`,
    [
      proposal.proposalId,
      proposal.kind,
      session.operatorId,
      session.sessionId,
      proposal.reason,
      proposal.memberId ?? null,
      proposal.body,
    ],
  );
  const made = await readProposal(db, proposal.kind, formatProposalId(proposal.proposalId));
  if (made === null) throw new Error("a new proposal was not found");
  return made;
}

export async function readProposal(db: Queryable, kind: string, id: string): Promise<ProposalRow | null> {
  const [row] = await db.query<ProposalRow>(
    `SELECT ${PROPOSAL_COLUMNS} FROM ${PROPOSAL_JOINS} WHERE p.kind = $1 AND p.proposal_id = $2`,
    [kind, parseProposalId(id)],
  );
  return row ?? null;
}

export interface ProposalFilters {
  readonly state?: "waiting" | "done" | "all" | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const PAGE_PROPOSALS = 50;

/**
 * Lists proposals of a kind: waiting ones oldest first, since they are a queue; others newest first. Refuses
 * FIELD_INVALID for a bad cursor.
 */
export async function listProposals(
  db: Queryable,
  kind: string,
  filters: ProposalFilters,
): Promise<Verdict<{ readonly items: ProposalRow[]; readonly nextCursor: string | null }>> {
  const cursor = filters.cursor === undefined ? null : parseProposalId(filters.cursor);
  if (filters.cursor !== undefined && cursor === null)
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const state = filters.state ?? "waiting";
  const waiting = state === "waiting";
  const limit = filters.limit ?? PAGE_PROPOSALS;
  const wanted = { waiting: "AND d.proposal_id IS NULL", done: "AND d.proposal_id IS NOT NULL", all: "" }[state];
  const rows = await db.query<ProposalRow>(
    `SELECT ${PROPOSAL_COLUMNS} FROM ${PROPOSAL_JOINS} WHERE p.kind = $1 ${wanted}
       AND ($2::bigint IS NULL OR p.proposal_id ${waiting ? ">" : "<"} $2)
     ORDER BY p.proposal_id ${waiting ? "" : "DESC"} LIMIT $3`,
    [kind, cursor, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return accept({ items, nextCursor: rows.length > limit && last ? formatProposalId(last.proposal_id) : null });
}

/**
 * Decides a proposal. Refuses NOT_FOUND, CONFLICT if someone has already decided, and FORBIDDEN if the proposer would
 * approve their own. The database enforces the same independently (CHECK, roles of both, live sessions).
 */
export async function decideProposal(
  db: Queryable,
  session: OperatorSession,
  what: {
    readonly kind: string;
    readonly proposalId: string;
    readonly decision: "approved" | "rejected";
    readonly reason: string;
  },
): Promise<Verdict<ProposalRow>> {
  const proposal = await readProposal(db, what.kind, what.proposalId);
  if (proposal === null) return refuse("NOT_FOUND");
  if (proposal.decision !== null) return refuse("CONFLICT");
  if (what.decision === "approved" && proposal.made_by_id === session.operatorId) return refuse("FORBIDDEN");
  const inserted = await db.query(
    `INSERT INTO decisions (proposal_id, made_by, made_session, decided_by, decided_session, decided_at, decision, reason)
     SELECT proposal_id, made_by, made_session, $2, $3, floor(extract(epoch FROM clock_timestamp()) * 1000), $4, $5
     FROM proposals WHERE proposal_id = $1
     ON CONFLICT (proposal_id) DO NOTHING RETURNING 1`,
    [proposal.proposal_id, session.operatorId, session.sessionId, what.decision, what.reason],
  );
  if (inserted.length === 0) return refuse("CONFLICT");
  const decided = await readProposal(db, what.kind, what.proposalId);
  return decided === null ? refuse("NOT_FOUND") : accept(decided);
}

/** What all proposals show. */
export function presentProposal(row: ProposalRow) {
  const madeBy: OperatorPerson | null = personOf({ ...row }, "made_by");
  if (madeBy === null) throw new Error("a proposal has no maker");
  return {
    proposalId: formatProposalId(row.proposal_id),
    state: row.decision ?? ("waiting" as const),
    madeBy,
    madeAt: Number(row.made_at),
    reason: row.reason,
    decidedBy: personOf({ ...row }, "decided_by"),
    decidedAt: row.decided_at === null ? null : Number(row.decided_at),
    decisionReason: row.decision_reason,
  };
}

import {
  accept,
  type DocumentType,
  formatId,
  type IdentityFlag,
  type Instant,
  type MemberId,
  parsePrefixedId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { IdentityCase, IdentityEntry } from "@fairtick/protocol/operator";
import type { Present, Queryable } from "../../platform/database.ts";
import { formatFileId } from "../files/index.ts";
import { listProposals, personOf, presentProposal, type ProposalRow } from "../operators/index.ts";
import { legalAgeOf } from "../regions/index.ts";
import { openNumber } from "./document-number.ts";
import { formatCaseId } from "./submit-documents.ts";

export const parseCaseId = (text: string): bigint | null => parsePrefixedId("idn", text);

export interface CaseFilters {
  readonly state?: "waiting" | "done" | "all" | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CaseRow {
  readonly case_id: bigint;
  readonly member_id: MemberId;
  readonly account: string | null;
  readonly region: string;
  readonly family_name: string;
  readonly given_name: string;
  readonly gender: "male" | "female";
  readonly birth_date: string;
  readonly document_type: DocumentType;
  readonly document_number: Buffer;
  readonly front_file_id: bigint;
  readonly back_file_id: bigint;
  readonly submitted_at: Instant;
  readonly state: IdentityEntry["state"];
  readonly decided_at: Instant | null;
  readonly reason: string | null;
  readonly document_birth_date: string | null;
  readonly document_expires: string | null;
  readonly ended_at: Instant | null;
  readonly end_reason: string | null;
  readonly flags: readonly IdentityFlag[] | null;
  readonly proposed: boolean;
}

/** SQL condition: a proposal about case `c` waits for its second person. */
const PROPOSED = `EXISTS (SELECT FROM proposals p LEFT JOIN decisions d USING (proposal_id) WHERE p.member_id = c.member_id
      AND d.proposal_id IS NULL AND p.kind = CASE c.state WHEN 'pending' THEN 'identity' WHEN 'verified' THEN 'identity_revoke' END
      AND p.body::jsonb ->> 'caseId' = c.case_id::text)`;

const CASES = `SELECT c.case_id, c.member_id, coalesce(m.email, m.phone) AS account, m.region, c.family_name, c.given_name, c.gender,
    c.birth_date::text AS birth_date, c.document_type, c.document_number, c.front_file_id, c.back_file_id, c.submitted_at, c.state,
    c.decided_at, c.reason, c.document_birth_date::text AS document_birth_date,
    c.document_expires::text AS document_expires, c.ended_at, c.end_reason,
    o.operator_id AS by_id, o.login AS by_login, o.name AS by_name,
    (SELECT array_agg(f.flag ORDER BY f.flag) FROM identity_flags f WHERE f.case_id = c.case_id) AS flags,
    ${PROPOSED} AS proposed
  FROM identity_cases c JOIN members m USING (member_id) LEFT JOIN operators o ON o.operator_id = c.decided_by`;

const PAGE_CASES = 50;

/** Reads when the waiting identity checks were submitted, oldest first. Each row also has the number of all waiting ones. */
export function readWaitingCases(db: Queryable, most: number): Promise<{ at: bigint; open: bigint }[]> {
  return db.query(
    `SELECT c.submitted_at AS at, count(*) OVER () AS open FROM identity_cases c WHERE c.state = 'pending' OR ${PROPOSED}
     ORDER BY c.case_id LIMIT $1`,
    [most],
  );
}

/** Returns whether an identity check with this id exists and waits for operators. */
export async function isWaitingCase(db: Queryable, caseId: string): Promise<boolean> {
  const found = await db.query(
    `SELECT 1 FROM identity_cases c WHERE c.case_id = $1 AND (c.state = 'pending' OR ${PROPOSED})`,
    [parseCaseId(caseId)],
  );
  return found.length > 0;
}

/**
 * Lists cases page by page. Waiting ones (open, or proposed to be revoked) come oldest first, since they are a queue; others
 * newest first. Refuses FIELD_INVALID for a bad cursor.
 */
export async function listCases(
  db: Queryable,
  filters: CaseFilters,
): Promise<Verdict<{ items: IdentityEntry[]; nextCursor: string | null }>> {
  const cursor = filters.cursor === undefined ? null : parseCaseId(filters.cursor);
  if (filters.cursor !== undefined && cursor === null)
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const state = filters.state ?? "waiting";
  const waiting = state === "waiting";
  const limit = filters.limit ?? PAGE_CASES;
  const wanted = { waiting: `AND (c.state = 'pending' OR ${PROPOSED})`, done: "AND c.state <> 'pending'", all: "" }[
    state
  ];
  const rows = await db.query<CaseRow>(
    `${CASES} WHERE ($1::bigint IS NULL OR c.case_id ${waiting ? ">" : "<"} $1) ${wanted}
     ORDER BY c.case_id ${waiting ? "" : "DESC"} LIMIT $2`,
    [cursor, limit + 1],
  );
  const items = rows.slice(0, limit).map(presentEntry);
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.caseId ?? null) : null });
}

/** Finds a case by its public id; null if there is none. */
export async function findCase(db: Queryable, caseId: string): Promise<CaseRow | null> {
  const [row] = await db.query<CaseRow>(`${CASES} WHERE c.case_id = $1`, [parseCaseId(caseId)]);
  return row ?? null;
}

/** Reads a case with everything that a reviewer needs to decide it. Refuses NOT_FOUND. */
export async function readCase(db: Queryable, caseId: string, secret: Buffer): Promise<Verdict<IdentityCase>> {
  const row = await findCase(db, caseId);
  if (row === null) return refuse("NOT_FOUND");
  const waiting = await readWaiting(db, row);
  return accept({
    ...presentEntry(row),
    gender: row.gender,
    birthDate: row.birth_date,
    legalAge: await legalAgeOf(db, row.region),
    documentNumber: openNumber(row.document_number, secret, row.case_id),
    frontFileId: formatFileId(row.front_file_id),
    backFileId: formatFileId(row.back_file_id),
    decidedBy: personOf({ ...row }, "by"),
    decidedAt: row.decided_at === null ? null : Number(row.decided_at),
    reason: row.reason,
    documentBirthDate: row.document_birth_date,
    documentExpires: row.document_expires,
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    endReason: row.end_reason,
    flagged: await readFlags(db, row.case_id),
    waiting: waiting === null ? null : { ...presentProposal(waiting), verdict: agreedOf(waiting).verdict },
    earlier: await readEarlier(db, row),
  });
}

function presentEntry(row: CaseRow): IdentityEntry {
  return {
    caseId: formatCaseId(row.case_id),
    memberId: formatId("member", row.member_id),
    account: row.account ?? "",
    region: row.region,
    familyName: row.family_name,
    givenName: row.given_name,
    documentType: row.document_type,
    submittedAt: Number(row.submitted_at),
    state: row.state,
    flags: [...(row.flags ?? [])],
    proposed: row.proposed,
  };
}

/** Content of a proposal about a case: the decision that was proposed. */
export interface Agreed {
  readonly caseId: string;
  readonly verdict: "verified" | "rejected" | "revoked";
  readonly birthDate: string | null;
  readonly expiresOn: string | null;
}

export function agreedOf(proposal: ProposalRow): Agreed {
  return JSON.parse(proposal.body) as Agreed;
}

/** Returns which kind of proposal a case can have: a decision if it is open, a revocation if it is verified. */
export function proposalKindOf({ state }: Pick<CaseRow, "state">): "identity" | "identity_revoke" | null {
  if (state === "pending") return "identity";
  return state === "verified" ? "identity_revoke" : null;
}

/** Reads the waiting proposal about a case; null if there is none. There is at most one. */
export async function readWaiting(
  db: Queryable,
  row: Pick<CaseRow, "case_id" | "state" | "proposed">,
): Promise<ProposalRow | null> {
  const kind = proposalKindOf(row);
  if (kind === null || !row.proposed) return null;
  const waiting = await listProposals(db, kind, { state: "waiting", limit: 1_000 });
  if (!waiting.ok) return null;
  return waiting.value.items.find((proposal) => agreedOf(proposal).caseId === String(row.case_id)) ?? null;
}

async function readFlags(db: Queryable, caseId: bigint): Promise<IdentityCase["flagged"]> {
  const rows = await db.query<{
    flag: IdentityFlag;
    raised_at: bigint;
    other_case_id: bigint | null;
    other_member: MemberId | null;
  }>(
    `SELECT f.flag, f.raised_at, f.other_case_id, o.member_id AS other_member FROM identity_flags f
     LEFT JOIN identity_cases o ON o.case_id = f.other_case_id WHERE f.case_id = $1 ORDER BY f.flag`,
    [caseId],
  );
  return rows.map((row) => ({
    flag: row.flag,
    raisedAt: Number(row.raised_at),
    otherCaseId: row.other_case_id === null ? null : formatCaseId(row.other_case_id),
    otherMemberId: row.other_member === null ? null : formatId("member", row.other_member),
  }));
}

async function readEarlier(db: Queryable, row: CaseRow): Promise<IdentityCase["earlier"]> {
  const rows = await db.query<{
    case_id: bigint;
    state: Exclude<IdentityEntry["state"], "pending">;
    // Constraints guarantee these columns: every decision has a reason.
    decided_at: Present<bigint>;
    reason: Present<string>;
  }>(
    `SELECT case_id, state, decided_at, coalesce(end_reason, reason) AS reason FROM identity_cases
     WHERE member_id = $1 AND case_id < $2 AND state <> 'pending' ORDER BY case_id DESC LIMIT 20`,
    [row.member_id, row.case_id],
  );
  return rows.map((each) => ({
    caseId: formatCaseId(each.case_id),
    state: each.state,
    decidedAt: Number(each.decided_at),
    reason: each.reason,
  }));
}

import {
  accept,
  birthDateFault,
  dayIn,
  type Instant,
  type MemberId,
  refuse,
  type Refusal,
  type Verdict,
} from "@fairtick/domain";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";
import {
  decideProposal,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalRow,
} from "../operators/index.ts";
import { legalAgeOf } from "../regions/index.ts";
import { assignVipByRule } from "../vip/index.ts";
import { type Agreed, agreedOf, type CaseRow, findCase, readWaiting } from "./read-cases.ts";

export interface Decision {
  readonly caseId: string;
  readonly verdict: "verified" | "rejected";
  /** Birth date as read off the document. Required to verify. */
  readonly birthDate?: string | undefined;
  /** The document's last day, if it has one. */
  readonly expiresOn?: string | undefined;
  readonly reason: string;
}

export interface Decided {
  readonly memberId: MemberId;
  readonly done: "verified" | "rejected" | "revoked" | "proposed" | "declined";
}

/**
 * Decides a case. If a rule flags the case, the first person's decision becomes a proposal, and a second person agrees or
 * declines. Refuses NOT_FOUND; CONFLICT for a decided case; FIELD_MISSING without the birth date; UNDER_AGE[min];
 * FIELD_INVALID for a document whose last day is over; FORBIDDEN if both people would be the same. The database enforces
 * the same rules.
 */
export async function decideCase(
  context: Pick<OperatorContext, "ids" | "config">,
  db: Queryable,
  session: OperatorSession,
  decision: Decision,
  now: Instant,
): Promise<Verdict<Decided>> {
  await lockCase(db, decision.caseId);
  const row = await findCase(db, decision.caseId);
  if (row === null) return refuse("NOT_FOUND");
  if (row.state !== "pending") return refuse("CONFLICT");
  const waiting = await readWaiting(db, row);
  if (waiting !== null) return takeSecondPart(context, db, session, row, waiting, decision, now);
  const isVerified = decision.verdict === "verified";
  const refusal = isVerified ? await refusalOf(db, row, decision, now) : null;
  if (refusal !== null) return { ok: false, refusal };
  const read = isVerified ? (decision.birthDate ?? null) : null;
  const expiresOn = isVerified ? (decision.expiresOn ?? null) : null;
  const agreed: Agreed = { caseId: String(row.case_id), verdict: decision.verdict, birthDate: read, expiresOn };
  if (read !== null) await db.query("SELECT flag_identity($1, $2, $3)", [session.sessionId, row.case_id, read]);
  const flagged = (await findCase(db, decision.caseId))?.flags ?? null;
  if (flagged === null)
    return settle(context, db, session, row, { agreed, proposalId: null, reason: decision.reason }, now);
  await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "identity",
    reason: decision.reason,
    memberId: row.member_id,
    body: JSON.stringify(agreed),
  });
  return accept({ memberId: row.member_id, done: "proposed" });
}

/** Records the second person's decision on a proposal: the same verdict agrees, another one declines. */
async function takeSecondPart(
  context: Pick<OperatorContext, "ids" | "config">,
  db: Queryable,
  session: OperatorSession,
  row: CaseRow,
  waiting: ProposalRow,
  decision: Decision,
  now: Instant,
): Promise<Verdict<Decided>> {
  const agrees = agreedOf(waiting).verdict === decision.verdict;
  const decided = await decideProposal(db, session, {
    kind: "identity",
    proposalId: presentProposal(waiting).proposalId,
    decision: agrees ? "approved" : "rejected",
    reason: decision.reason,
  });
  if (!decided.ok) return decided;
  if (!agrees) return accept({ memberId: row.member_id, done: "declined" });
  // The member reads the proposer's reason.
  const settled = { agreed: agreedOf(waiting), proposalId: waiting.proposal_id, reason: waiting.reason };
  return settle(context, db, session, row, settled, now);
}

/** Locks a case for the transaction, so that two reviewers can't both be the first to decide. */
export async function lockCase(db: Queryable, caseId: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(6270017, hashtext($1))", [caseId]);
}

async function refusalOf(
  db: Queryable,
  row: CaseRow,
  { birthDate, expiresOn }: Decision,
  now: Instant,
): Promise<Refusal | null> {
  // A document is valid through its last day in the time zone where that day ends last.
  if (expiresOn !== undefined && expiresOn < (dayIn("Etc/GMT+12", now) ?? ""))
    return { error: "FIELD_INVALID", fields: { expiresOn: "FIELD_INVALID" }, params: { field: "expiresOn" } };
  if (birthDate === undefined) return { error: "FIELD_MISSING", fields: { birthDate: "FIELD_MISSING" } };
  const legalAge = await legalAgeOf(db, row.region);
  const fault = birthDateFault(birthDate, dayIn("UTC", now) ?? "", legalAge);
  // The member's birthday may already have begun in their time zone. The date they gave was checked in that zone.
  if (fault === null || birthDate === row.birth_date) return null;
  return fault === "UNDER_AGE"
    ? { error: fault, params: { min: legalAge } }
    : { error: fault, fields: { birthDate: fault } };
}

async function settle(
  { config }: Pick<OperatorContext, "config">,
  db: Queryable,
  session: OperatorSession,
  row: CaseRow,
  {
    agreed,
    proposalId,
    reason,
  }: { readonly agreed: Agreed; readonly proposalId: bigint | null; readonly reason: string },
  now: Instant,
): Promise<Verdict<Decided>> {
  const [done] = await db.query<{ done: boolean }>("SELECT decide_identity($1, $2, $3, $4, $5, $6, $7) AS done", [
    session.sessionId,
    row.case_id,
    proposalId,
    agreed.verdict,
    agreed.birthDate,
    agreed.expiresOn,
    reason,
  ]);
  if (done?.done !== true) return refuse("CONFLICT");
  if (agreed.verdict === "verified") {
    await tellMember(db, row.member_id, "identityVerified", {});
    await assignVipByRule(db, session, row.member_id, { supportHours: config.supportHours, now });
  } else {
    await tellMember(db, row.member_id, "identityRejected", { reason });
  }
  return accept({ memberId: row.member_id, done: agreed.verdict });
}

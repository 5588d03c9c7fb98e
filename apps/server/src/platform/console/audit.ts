import type { Instant } from "@fairtick/domain";
import { OPERATOR_CALLS } from "@fairtick/protocol/operator";
import type { Queryable } from "../database.ts";
import type { OperatorSession } from "./operator-route.ts";

export interface AuditRow {
  /** The session; null if there was none. */
  readonly session: Pick<OperatorSession, "operatorId" | "sessionId"> | null;
  readonly ip: string;
  readonly device: string;
  readonly action: string;
  readonly subject: string | null;
  readonly reason: string | null;
  /** JSON of the request, without secrets. */
  readonly detail: string;
  /** `done` or the name of the refusal. */
  readonly outcome: string;
}

/** A decision recorded in the audit trail. */
export interface RecordedDecision {
  readonly operatorId: bigint;
  readonly login: string;
  readonly name: string;
  readonly at: Instant;
  /** The call's path: `deposit/reject`. */
  readonly action: string;
  readonly reason: string | null;
}

/** Calls that decide something. Proposals are no decisions yet. */
const DECISIONS = OPERATOR_CALLS.filter(({ limit }) => limit === "write")
  .map(({ path }) => path)
  .filter((path) => !/\/(?:propose|import)/.test(path));

/** Lists who decided about a subject, oldest first. `subject` is the public id that calls about it name. */
export async function listDecisions(db: Queryable, subject: string): Promise<RecordedDecision[]> {
  const rows = await db.query<{
    operator_id: bigint;
    login: string;
    name: string;
    at: Instant;
    action: string;
    reason: string | null;
  }>(
    `SELECT operator_id, login, name, at, action, t.reason FROM audit_trail t JOIN operators USING (operator_id)
     WHERE subject = $1 AND outcome = 'done' AND action = ANY($2::text[]) ORDER BY audit_no`,
    [subject, DECISIONS],
  );
  return rows.map(({ operator_id: operatorId, login, name, at, action, reason }) => ({
    operatorId,
    login,
    name,
    at,
    action,
    reason,
  }));
}

/** Adds a row to the audit trail in the caller's transaction. Call it last: other writers wait from here to the commit. */
export async function writeAudit(db: Queryable, row: AuditRow): Promise<void> {
  await db.query("SELECT write_audit($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
    row.session?.operatorId ?? null,
    row.session?.sessionId ?? null,
    row.ip,
    row.device,
    row.action,
    row.subject,
    row.reason,
    row.detail,
    row.outcome,
  ]);
}

import type { Queryable } from "../database.ts";
import type { OperatorSession } from "./operator-route.ts";

export interface AuditRow {
  /** Null where nobody was known. */
  readonly session: Pick<OperatorSession, "operatorId" | "sessionId"> | null;
  readonly ip: string;
  readonly device: string;
  readonly action: string;
  readonly subject: string | null;
  readonly reason: string | null;
  /** JSON of what was asked, without secrets. */
  readonly detail: string;
  /** `done` or the name of the refusal. */
  readonly outcome: string;
}

/** Adds a row to the audit trail in the caller's transaction; from here to its commit others wait, so it comes last. */
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

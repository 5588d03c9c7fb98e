import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { AuditEntry } from "@fairtick/protocol/operator";
import type { Queryable } from "../../platform/database.ts";
import { parseOperatorId, personOf } from "./operator-rows.ts";

export interface AuditFilters {
  readonly operatorId?: string | undefined;
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Cursor of a page: the number of its last row. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface AuditRow {
  readonly audit_no: bigint;
  readonly at: bigint;
  readonly ip: string;
  readonly device: string;
  readonly action: string;
  readonly subject: string | null;
  readonly reason: string | null;
  readonly detail: string;
  readonly outcome: string;
  readonly hash: Buffer;
}

const PAGE_ROWS = 100;

/** Lists the audit trail, newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listAudit(
  db: Queryable,
  filters: AuditFilters,
): Promise<Verdict<{ items: AuditEntry[]; nextCursor: string | null }>> {
  if (filters.cursor !== undefined && !/^[1-9][0-9]{0,17}$/.test(filters.cursor))
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = filters.limit ?? PAGE_ROWS;
  const operatorId = filters.operatorId === undefined ? null : (parseOperatorId(filters.operatorId) ?? -1n);
  const rows = await db.query<AuditRow>(
    `SELECT a.*, o.operator_id AS operator_id, o.login AS operator_login, o.name AS operator_name
     FROM audit_trail a LEFT JOIN operators o USING (operator_id)
     WHERE ($1::bigint IS NULL OR a.audit_no < $1) AND ($2::bigint IS NULL OR a.operator_id = $2)
       AND ($3::text IS NULL OR a.subject = $3) AND ($4::text IS NULL OR a.action = $4)
       AND ($5::bigint IS NULL OR a.at >= $5) AND ($6::bigint IS NULL OR a.at <= $6)
     ORDER BY a.audit_no DESC LIMIT $7`,
    [
      filters.cursor ?? null,
      operatorId,
      filters.subject ?? null,
      filters.action ?? null,
      filters.from ?? null,
      filters.to ?? null,
      limit + 1,
    ],
  );
  const items = rows.slice(0, limit).map(presentRow);
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.auditNo ?? null) : null });
}

/** Reads all rows of a period in pieces, so that files can have any length. */
export async function* eachAuditEntry(db: Queryable, filters: AuditFilters) {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await listAudit(db, { ...filters, limit: 1_000, cursor: cursor ?? undefined });
    if (!page.ok) throw new Error("the cursor of an export was refused");
    for (const entry of page.value.items) yield { ...entry, operator: entry.operator?.login ?? "" };
    ({ nextCursor: cursor } = page.value);
  }
}

/** Finds the first row at which the hash chain breaks; null if it is unbroken. */
export async function firstBrokenAudit(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ broken: bigint | null }>("SELECT first_broken_audit() AS broken");
  return row?.broken?.toString() ?? null;
}

function presentRow(row: AuditRow): AuditEntry {
  return {
    auditNo: String(row.audit_no),
    at: Number(row.at),
    operator: personOf({ ...row }, "operator"),
    ip: row.ip,
    device: row.device,
    action: row.action,
    subject: row.subject,
    reason: row.reason,
    detail: row.detail,
    outcome: row.outcome,
    hash: row.hash.toString("hex"),
  };
}

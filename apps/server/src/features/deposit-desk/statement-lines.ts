import { accept, formatFiat, formatPrefixedId, parsePrefixedId, refuse, type Verdict } from "@fairtick/domain";
import type { StatementLine } from "@fairtick/protocol/operator";
import type { Present, Queryable } from "../../platform/database.ts";

/** Lines of bank statements, as the deposit desk shows them. */

const PAGE = 50;
const ID_END = (1n << 63n) - 1n;

export const formatEntryId = (entryId: bigint): string => formatPrefixedId("ent", entryId);
export const parseEntryId = (text: string): bigint | null => parsePrefixedId("ent", text);

export interface LineRow {
  readonly entry_id: bigint;
  readonly account: string;
  readonly booked_on: string;
  readonly amount: bigint;
  readonly digits: number;
  readonly currency: string;
  readonly debtor: string;
  readonly remittance: string;
  readonly reference: string | null;
}

/** A line on the same account and in the same currency as a deposit's card. Only such a line can be matched with it. */
export type WorthRow = LineRow & { readonly worth: Present<bigint> };

export const LINE = `e.entry_id, e.account, to_char(e.booked_on, 'YYYY-MM-DD') AS booked_on, e.amount, e.digits, e.currency, e.debtor, e.remittance, e.reference`;

export function presentLine(row: LineRow): StatementLine {
  return {
    entryId: formatEntryId(row.entry_id),
    account: row.account,
    bookedOn: row.booked_on,
    fiat: `${row.currency} ${formatFiat(row.amount, row.digits)}`,
    debtor: row.debtor,
    remittance: row.remittance,
    reference: row.reference,
  };
}

/** Lists lines that no deposit was matched with, newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listOpenLines(
  db: Queryable,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<Verdict<{ items: StatementLine[]; nextCursor: string | null }>> {
  const before = page.cursor === undefined ? ID_END : parseEntryId(page.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = page.limit ?? PAGE;
  const rows = await db.query<LineRow>(
    `SELECT ${LINE} FROM statement_entries e WHERE e.entry_id < $1
       AND NOT EXISTS (SELECT FROM bank_deposits b WHERE b.matched_entry = e.entry_id) ORDER BY e.entry_id DESC LIMIT $2`,
    [before, limit + 1],
  );
  const items = rows.slice(0, limit).map(presentLine);
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.entryId ?? null) : null });
}

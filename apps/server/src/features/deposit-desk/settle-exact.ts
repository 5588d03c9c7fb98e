import { formatFiat, formatMoney, type MicroUsd } from "@fairtick/domain";
import type { depositImportStatement, OperatorOutput } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import type { StatementLine } from "./parse-statement.ts";
import { type Changed, tellCredited } from "./tell-deposit.ts";

export type Report = OperatorOutput<typeof depositImportStatement>;

/** A statement whose lines are kept, and of which nothing is credited yet. */
export interface Kept {
  readonly lines: readonly StatementLine[];
  /** Those that were not there before. */
  readonly fresh: readonly bigint[];
  readonly report: Omit<Report, "credited" | "waiting" | "open">;
}

/** By each of the three ways in which lines are the same: a join by `is_same_line` alone would compare each with each. */
function knownBy(condition: string): string {
  return `SELECT k.entry_id, k.statement_id, k.account, k.amount, k.digits, k.currency, k.reference FROM said l
    JOIN statement_entries k ON k.account = l.account AND ${condition} WHERE k.reference IS NOT NULL AND k.amount = l.amount AND k.currency = l.currency
      AND is_same_line(k.entry_reference, k.also_reference, l.entry_reference, nullif(l.also_reference, ''))`;
}

/** $1 to $5: `namesOf`. What `settle_exact_entry` looks at once more, under the deposit's lock, stands here too. */
const EXACT = `WITH said AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS l(account, entry_reference, also_reference, amount, currency)
  ), known AS MATERIALIZED (
    ${knownBy("k.entry_reference = l.entry_reference")}
    UNION ${knownBy("k.also_reference = l.entry_reference")}
    UNION ${knownBy("k.entry_reference = l.also_reference")}
  ), exact AS (
    SELECT k.*, d.amount AS usd FROM known k JOIN bank_deposits b ON b.reference = k.reference JOIN deposits d ON d.deposit_id = b.deposit_id
      JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
    WHERE d.stage IN ('awaiting_transfer', 'in_review') AND b.fiat_amount = k.amount
      AND c.currency = k.currency AND c.digits = k.digits AND c.number = k.account
      AND (b.matched_entry IS NULL OR (b.matched_entry = k.entry_id AND b.matched_by IS NULL))
      AND NOT EXISTS (SELECT FROM statement_entries o WHERE o.reference = k.reference AND o.entry_id <> k.entry_id)
      AND NOT EXISTS (SELECT FROM bank_deposits m WHERE m.matched_entry = k.entry_id AND m.deposit_id <> b.deposit_id)
  )`;

/** What the lines are known by, as columns. */
export function namesOf(lines: readonly StatementLine[]): unknown[] {
  return [
    lines.map(({ account }) => account),
    lines.map(({ entryReference }) => entryReference),
    lines.map(({ alsoReference }) => alsoReference ?? ""),
    lines.map(({ amount }) => amount),
    lines.map(({ currency }) => currency),
  ];
}

export function fiatOf(line: { readonly currency: string; readonly amount: bigint; readonly digits: number }): string {
  return `${line.currency} ${formatFiat(line.amount, line.digits)}`;
}

/** Whether a line is exact whose deposit still waits, and that this operator may credit without a second person. */
export async function bringsCredit(
  db: Queryable,
  { operatorId }: OperatorSession,
  lines: readonly StatementLine[],
): Promise<boolean> {
  const found = await db.query(
    `${EXACT} SELECT 1 FROM exact e WHERE NOT EXISTS (SELECT FROM bank_statements s WHERE s.statement_id = e.statement_id AND s.imported_by = $6)
       OR NOT above_one_person(e.entry_id, e.usd) LIMIT 1`,
    [...namesOf(lines), operatorId],
  );
  return found.length > 0;
}

interface ExactLine {
  readonly entry_id: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly digits: number;
  readonly usd: bigint;
}

/**
 * Credits what is exact among a kept statement's lines (reference, amount, currency, account), those that an earlier one
 * brought and that still wait among them, as far as one person may credit from what he took in himself; what somebody else
 * takes in as well, that one credits. Each line in a transaction of its own: it holds one member's row no longer than a
 * credit by hand does, so that nobody's orders wait for a long file. A line is credited once, by its key; what is left after
 * an end in the middle, the same file taken in once more credits.
 */
export async function settleExact(
  { databases, ids }: Pick<OperatorContext, "databases" | "ids">,
  session: OperatorSession,
  { lines, fresh, report }: Kept,
  tell: (credited: Changed) => void,
): Promise<Report> {
  const exact = await databases.console.query<ExactLine>(
    `${EXACT} SELECT entry_id, currency, amount, digits, usd FROM exact ORDER BY entry_id`,
    namesOf(lines),
  );
  const credited: Report["credited"] = [];
  const waiting: Report["waiting"] = [];
  const settled = new Set<bigint>();
  for (const { entry_id: entryId, usd, ...line } of exact) {
    const done = await databases.console.transaction((db) => settleEntry(db, session, entryId, ids.next()));
    if (done === null) continue;
    crashPoint("statement.credited");
    settled.add(entryId);
    const shown = { depositNo: formatDepositNo(done.depositId), fiat: fiatOf(line) };
    if (done.booked === null) {
      waiting.push({ ...shown, amount: formatMoney(usd as MicroUsd) });
      continue;
    }
    const { memberId, amount } = done.booked;
    credited.push({ ...shown, amount });
    tell({ memberId, depositId: done.depositId });
  }
  return { ...report, credited, waiting, open: fresh.filter((entryId) => !settled.has(entryId)).length };
}

/** One line; null where it is no longer alone or its deposit waits no more, nothing booked where a second person is needed. */
async function settleEntry(db: Queryable, session: OperatorSession, entryId: bigint, transferId: bigint) {
  const [settled] = await db.query<{ deposit: bigint | null; is_credited: boolean }>(
    "SELECT deposit, is_credited FROM settle_exact_entry($1, $2, $3)",
    [session.sessionId, entryId, transferId],
  );
  if (settled === undefined || settled.deposit === null) return null;
  const { deposit: depositId } = settled;
  if (!settled.is_credited) return { depositId, booked: null };
  crashPoint("statement.settled");
  return { depositId, booked: await tellCredited(db, depositId) };
}

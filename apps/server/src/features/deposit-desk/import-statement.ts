import { createHash } from "node:crypto";
import { accept, formatMoney, type MicroUsd, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";
import { tellMember } from "../notices/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { parseStatement, type StatementLine } from "./parse-statement.ts";
import { beginTake, bringsCredit, fiatOf, type Kept, namesOf, type Report } from "./settle-exact.ts";

const UNREAD_SHOWN = 500;

/**
 * Stores the lines of a bank statement. Known lines stay as they are, so importing a file again, or a later file that repeats
 * it, changes nothing. `settleExact` then credits lines that match exactly one deposit; people match and credit the rest. A
 * file that was imported before is accepted again if this operator's import credits something, namely lines that needed a
 * second person. Refuses FIELD_INVALID[cause] for a file that isn't a statement, or is of an account that belongs to none of
 * our receiving cards (`account[account]`); CONFLICT[by,importedAt] for a file imported before that credits nothing.
 */
export async function keepStatement(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  xml: string,
): Promise<Verdict<Kept>> {
  const parsed = parseStatement(xml);
  if (!parsed.ok) return parsed;
  const { message, lines, returns, unread, accounts } = parsed.value;
  const foreign = await findForeignAccount(db, accounts);
  if (foreign !== null) {
    const params = { field: "statement", cause: "account", account: foreign };
    return refuse("FIELD_INVALID", params, { statement: "FIELD_INVALID" });
  }
  const statementId = ids.next();
  const hash = createHash("sha256").update(xml).digest();
  const [taken] = await db.query<{ fresh: boolean }>("SELECT take_statement($1, $2, $3, $4) AS fresh", [
    session.sessionId,
    statementId,
    message,
    hash,
  ]);
  const isFresh = taken?.fresh === true;
  if (!isFresh && !(await bringsCredit(db, session, lines))) return refuse("CONFLICT", await firstImport(db, hash));
  // One file at a time: a line is recognized by either of two columns, which no unique constraint can cover.
  await db.query("SELECT pg_advisory_xact_lock(hashtext('bank statements'))");
  const fresh = isFresh ? await keepLines({ ids }, db, statementId, lines) : [];
  const returned = isFresh ? await keepReturns({ ids }, db, statementId, returns) : [];
  const differing = isFresh ? await noteDiffering(db, session, lines) : [];
  const takeId = await beginTake({ ids }, db, session, lines);
  crashPoint("statement.kept");
  const known = lines.length - fresh.length - differing.length;
  return accept({
    takeId,
    fresh,
    report: {
      message,
      lines: fresh.length,
      known,
      unread: unread.length,
      unreadLines: unread.slice(0, UNREAD_SHOWN),
      differing,
      returned,
    },
  });
}

/**
 * Returns an account that no receiving card has or had; null if all accounts are ours. Money that came to another account
 * must not be credited.
 */
async function findForeignAccount(db: Queryable, accounts: readonly string[]): Promise<string | null> {
  const [row] = await db.query<{ account: string }>(
    "SELECT account FROM unnest($1::text[]) AS account WHERE NOT EXISTS (SELECT FROM receiving_cards WHERE number = account) LIMIT 1",
    [accounts],
  );
  return row?.account ?? null;
}

/** Reads who first imported this file, and when. */
async function firstImport(db: Queryable, hash: Buffer): Promise<{ readonly by: string; readonly importedAt: number }> {
  const [row] = await db.query<{ login: string; imported_at: bigint }>(
    "SELECT o.login, s.imported_at FROM bank_statements s JOIN operators o ON o.operator_id = s.imported_by WHERE s.file_hash = $1",
    [hash],
  );
  if (row === undefined) throw new Error("a file known by its hash is missing");
  return { by: row.login, importedAt: Number(row.imported_at) };
}

/** Stores the lines that aren't known yet. Returns their ids. */
async function keepLines(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  statementId: bigint,
  lines: readonly StatementLine[],
): Promise<readonly bigint[]> {
  const rows = await db.query<{ entry_id: bigint }>(
    `INSERT INTO statement_entries (entry_id, statement_id, account, entry_reference, also_reference, amount, digits, currency, booked_on, debtor, remittance, reference)
     SELECT (l ->> 'id')::bigint, $2, l ->> 'account', l ->> 'entryReference', l ->> 'alsoReference', (l ->> 'amount')::bigint, (l ->> 'digits')::smallint, l ->> 'currency',
       (l ->> 'bookedOn')::date, l ->> 'debtor', l ->> 'remittance', l ->> 'reference' FROM jsonb_array_elements($1) AS l
     WHERE NOT EXISTS (SELECT FROM statement_entries k WHERE k.account = l ->> 'account' AND k.amount = (l ->> 'amount')::bigint
       AND k.currency = l ->> 'currency' AND is_same_line(k.entry_reference, k.also_reference, l ->> 'entryReference', l ->> 'alsoReference'))
     ON CONFLICT (account, entry_reference) DO NOTHING RETURNING entry_id`,
    [textOf(lines, ids), statementId],
  );
  return rows.map(({ entry_id: entryId }) => entryId);
}

/** Returns the lines as JSON, each with the id that it gets if it is stored. */
function textOf(lines: readonly StatementLine[], ids: OperatorContext["ids"]): string {
  return JSON.stringify(lines.map((line) => ({ ...line, id: String(ids.next()), amount: String(line.amount) })));
}

/** Records and returns lines that have the reference of a stored line but another amount or currency. */
async function noteDiffering(
  db: Queryable,
  session: OperatorSession,
  lines: readonly StatementLine[],
): Promise<Report["differing"]> {
  const rows = await db.query<{ place: bigint; currency: string; amount: bigint; digits: number }>(
    `SELECT l.place, k.currency, k.amount, k.digits FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
       WITH ORDINALITY AS l(account, entry_reference, also_reference, amount, currency, place)
     JOIN statement_entries k ON k.account = l.account AND k.entry_reference = l.entry_reference
     WHERE NOT EXISTS (SELECT FROM statement_entries s WHERE s.account = l.account AND s.amount = l.amount AND s.currency = l.currency
       AND is_same_line(s.entry_reference, s.also_reference, l.entry_reference, nullif(l.also_reference, ''))) ORDER BY l.place`,
    namesOf(lines),
  );
  const differing: Report["differing"] = [];
  for (const { place, ...before } of rows) {
    const line = lines[Number(place) - 1];
    if (line === undefined) throw new Error("a line has its place");
    const [fiat, kept] = [fiatOf(line), fiatOf(before)];
    await db.query("SELECT note_differing_line($1, $2, $3, $4)", [
      session.sessionId,
      line.account,
      line.entryReference,
      `${fiat} instead of ${kept}`,
    ]);
    differing.push({ reference: line.entryReference, fiat, before: kept });
  }
  return differing;
}

interface ReturnedRow {
  readonly deposit_id: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly digits: number;
  readonly member_id: bigint;
  readonly stage: string;
  readonly usd: bigint;
}

/**
 * Stores what the bank takes back, and tells members whose withdrawals wait from now on. Returns the deposits that it
 * concerns, which two people have to decide on.
 */
async function keepReturns(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  statementId: bigint,
  returns: readonly StatementLine[],
): Promise<Report["returned"]> {
  const fresh = await db.query<{ return_id: bigint }>(
    `INSERT INTO statement_returns (return_id, statement_id, account, entry_reference, also_reference, amount, digits, currency, booked_on, debtor, remittance, reference)
     SELECT (l ->> 'id')::bigint, $2, l ->> 'account', l ->> 'entryReference', l ->> 'alsoReference', (l ->> 'amount')::bigint, (l ->> 'digits')::smallint, l ->> 'currency',
       (l ->> 'bookedOn')::date, l ->> 'debtor', l ->> 'remittance', l ->> 'reference' FROM jsonb_array_elements($1) AS l
     WHERE NOT EXISTS (SELECT FROM statement_returns k WHERE k.account = l ->> 'account' AND k.amount = (l ->> 'amount')::bigint
       AND k.currency = l ->> 'currency' AND is_same_line(k.entry_reference, k.also_reference, l ->> 'entryReference', l ->> 'alsoReference'))
     ON CONFLICT (account, entry_reference) DO NOTHING RETURNING return_id`,
    [textOf(returns, ids), statementId],
  );
  const about = await db.query<ReturnedRow>(
    `SELECT d.deposit_id, r.currency, r.amount, r.digits, o.member_id, o.stage, o.amount AS usd
     FROM returned_deposits d JOIN statement_returns r USING (return_id) JOIN deposits o USING (deposit_id)
     WHERE r.return_id = ANY($1::bigint[]) ORDER BY r.return_id`,
    [fresh.map(({ return_id: id }) => String(id))],
  );
  // A deposit may be taken back by two lines of one file.
  const credited = new Map(about.filter(({ stage }) => stage === "credited").map((row) => [row.deposit_id, row]));
  for (const [depositId, { member_id: memberId, usd }] of credited) {
    const amount = formatMoney(usd as MicroUsd);
    await tellMember(db, memberId, "depositReturned", { amount, depositNo: formatDepositNo(depositId) });
  }
  return about.map((row) => ({
    depositNo: formatDepositNo(row.deposit_id),
    fiat: fiatOf(row),
  }));
}

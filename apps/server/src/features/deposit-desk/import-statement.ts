import { createHash } from "node:crypto";
import { accept, formatFiat, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorOutput, depositImportStatement } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { parseStatement, type StatementLine } from "./parse-statement.ts";
import { type Changed, tellCredited } from "./tell-deposit.ts";

interface Imported {
  readonly report: OperatorOutput<typeof depositImportStatement>;
  readonly credited: readonly Changed[];
}

/**
 * Takes a statement in: lines that are known already stay as they are, so that a file, or a later one that repeats it,
 * changes nothing. What is exact and alone (reference, amount, currency, account) is credited at once; the rest is for a
 * person to match. Refuses FIELD_INVALID for what is no statement, CONFLICT for a file that was taken in before.
 */
export async function importStatement(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  xml: string,
  now: bigint,
): Promise<Verdict<Imported>> {
  const parsed = parseStatement(xml);
  if (!parsed.ok) return parsed;
  const { message, lines, returns, unread } = parsed.value;
  const statementId = ids.next();
  const inserted = await db.query(
    `INSERT INTO bank_statements (statement_id, message, file_hash, imported_by, imported_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (file_hash) DO NOTHING RETURNING 1`,
    [statementId, message, createHash("sha256").update(xml).digest(), session.operatorId, now],
  );
  if (inserted.length === 0) return refuse("CONFLICT");
  // One file at a time: what a line is known by may stand in either of two columns.
  await db.query("SELECT pg_advisory_xact_lock(hashtext('bank statements'))");
  const fresh = await db.query<{ entry_id: bigint; currency: string; amount: bigint; digits: number }>(
    `INSERT INTO statement_entries (entry_id, statement_id, account, entry_reference, also_reference, amount, digits, currency, booked_on, debtor, remittance, reference)
     SELECT entry_id, $2, account, entry_reference, nullif(also_reference, ''), amount, digits, currency, booked_on, debtor, remittance, nullif(reference, '')
     FROM unnest($1::bigint[], $3::text[], $4::text[], $5::bigint[], $6::smallint[], $7::text[], $8::date[], $9::text[], $10::text[], $11::text[], $12::text[])
       AS l(entry_id, account, entry_reference, amount, digits, currency, booked_on, debtor, remittance, reference, also_reference)
     WHERE NOT EXISTS (SELECT FROM statement_entries k WHERE k.account = l.account AND k.amount = l.amount AND k.currency = l.currency
       AND is_same_line(k.entry_reference, k.also_reference, l.entry_reference, nullif(l.also_reference, '')))
     ON CONFLICT (account, entry_reference) DO NOTHING RETURNING entry_id, currency, amount, digits`,
    [
      lines.map(() => ids.next()),
      statementId,
      lines.map(({ account }) => account),
      lines.map(({ entryReference }) => entryReference),
      lines.map(({ amount }) => amount),
      lines.map(({ digits }) => digits),
      lines.map(({ currency }) => currency),
      lines.map(({ bookedOn }) => bookedOn),
      lines.map(({ debtor }) => debtor),
      lines.map(({ remittance }) => remittance),
      lines.map(({ reference }) => reference ?? ""),
      lines.map(({ alsoReference }) => alsoReference ?? ""),
    ],
  );
  const returned = await keepReturns({ ids }, db, statementId, returns);
  crashPoint("statement.kept");
  const credited: Changed[] = [];
  const shown: Imported["report"]["credited"] = [];
  for (const entry of fresh) {
    const [settled] = await db.query<{ deposit_id: bigint | null }>(
      "SELECT settle_exact_entry($1, $2, $3) AS deposit_id",
      [session.sessionId, entry.entry_id, ids.next()],
    );
    if (settled === undefined || settled.deposit_id === null) continue;
    crashPoint("statement.settled");
    const booked = await tellCredited(db, settled.deposit_id);
    credited.push({ memberId: booked.memberId, depositId: settled.deposit_id });
    const fiat = `${entry.currency} ${formatFiat(entry.amount, entry.digits)}`;
    shown.push({ depositNo: formatDepositNo(settled.deposit_id), amount: booked.amount, fiat });
  }
  return accept({
    credited,
    report: {
      message,
      lines: fresh.length,
      known: lines.length - fresh.length,
      unread,
      credited: shown,
      open: fresh.length - credited.length,
      returned,
    },
  });
}

/** Keeps what the bank takes back; answers the deposits that it is about. They wait for two people. */
async function keepReturns(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  statementId: bigint,
  returns: readonly StatementLine[],
): Promise<Imported["report"]["returned"]> {
  const fresh = await db.query<{ return_id: bigint }>(
    `INSERT INTO statement_returns (return_id, statement_id, account, entry_reference, also_reference, amount, digits, currency, booked_on, debtor, remittance, reference)
     SELECT (l ->> 'id')::bigint, $2, l ->> 'account', l ->> 'entryReference', l ->> 'alsoReference', (l ->> 'amount')::bigint, (l ->> 'digits')::smallint, l ->> 'currency',
       (l ->> 'bookedOn')::date, l ->> 'debtor', l ->> 'remittance', l ->> 'reference' FROM jsonb_array_elements($1) AS l
     WHERE NOT EXISTS (SELECT FROM statement_returns k WHERE k.account = l ->> 'account' AND k.amount = (l ->> 'amount')::bigint
       AND k.currency = l ->> 'currency' AND is_same_line(k.entry_reference, k.also_reference, l ->> 'entryReference', l ->> 'alsoReference'))
     ON CONFLICT (account, entry_reference) DO NOTHING RETURNING return_id`,
    [
      JSON.stringify(returns.map((line) => ({ ...line, id: String(ids.next()), amount: String(line.amount) }))),
      statementId,
    ],
  );
  const about = await db.query<{ deposit_id: bigint; currency: string; amount: bigint; digits: number }>(
    `SELECT d.deposit_id, r.currency, r.amount, r.digits FROM returned_deposits d JOIN statement_returns r USING (return_id)
     WHERE r.return_id = ANY($1::bigint[]) ORDER BY r.return_id`,
    [fresh.map(({ return_id: id }) => String(id))],
  );
  return about.map((row) => ({
    depositNo: formatDepositNo(row.deposit_id),
    fiat: `${row.currency} ${formatFiat(row.amount, row.digits)}`,
  }));
}

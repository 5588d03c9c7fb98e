import { formatFiat, formatMoney, type MicroUsd } from "@fairtick/domain";
import type { depositImportStatement, Output } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import type { StatementLine } from "./parse-statement.ts";
import { type Changed, tellCredited } from "./tell-deposit.ts";

export type Report = Output<typeof depositImportStatement>;

/** A statement whose lines are stored, but of which nothing is credited yet. */
export interface Kept {
  /** Number of the import, by which another process can continue it. It says which lines were imported, and by whom. */
  readonly takeId: bigint;
  /** Ids of the lines that weren't known before. */
  readonly fresh: readonly bigint[];
  readonly report: Omit<Report, "credited" | "waiting" | "open">;
}

/**
 * SQL: stored lines that are the same as imported ones. There is one query for each of the three ways in which lines can be the
 * same, because a join by `is_same_line` alone would compare every line with every other.
 */
function knownBy(condition: string): string {
  return `SELECT k.entry_id, k.statement_id, k.account, k.amount, k.digits, k.currency, k.reference FROM said l
    JOIN statement_entries k ON k.account = l.account AND ${condition} WHERE k.reference IS NOT NULL AND k.amount = l.amount AND k.currency = l.currency
      AND is_same_line(k.entry_reference, k.also_reference, l.entry_reference, nullif(l.also_reference, ''))`;
}

/** SQL: `known` are the stored lines that are the same as imported ones. $1 to $5 are the columns of `namesOf`. */
const SAID = `WITH said AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS l(account, entry_reference, also_reference, amount, currency)
  ), known AS MATERIALIZED (
    ${knownBy("k.entry_reference = l.entry_reference")}
    UNION ${knownBy("k.also_reference = l.entry_reference")}
    UNION ${knownBy("k.entry_reference = l.also_reference")}
  )`;
/** SQL: `known` are the lines of an import, whose number is $1. */
const TAKEN = `WITH known AS MATERIALIZED (
    SELECT k.entry_id, k.statement_id, k.account, k.amount, k.digits, k.currency, k.reference FROM statement_takes t
      JOIN statement_entries k ON k.entry_id = ANY (t.entries) WHERE t.take_id = $1
  )`;

/** SQL: `exact` are the known lines that match one deposit. `settle_exact_entry` checks the same under the deposit's lock. */
const EXACT = `exact AS (
    SELECT k.*, d.amount AS usd FROM known k JOIN bank_deposits b ON b.reference = k.reference JOIN deposits d ON d.deposit_id = b.deposit_id
      JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
    WHERE d.stage IN ('awaiting_transfer', 'in_review') AND b.fiat_amount = k.amount
      AND c.currency = k.currency AND c.digits = k.digits AND c.number = k.account
      AND (b.matched_entry IS NULL OR (b.matched_entry = k.entry_id AND b.matched_by IS NULL))
      AND NOT EXISTS (SELECT FROM statement_entries o WHERE o.reference = k.reference AND o.entry_id <> k.entry_id)
      AND NOT EXISTS (SELECT FROM bank_deposits m WHERE m.matched_entry = k.entry_id AND m.deposit_id <> b.deposit_id)
  )`;

/** Returns what the lines are recognized by, as one array for each column. */
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

/** Returns whether any of the lines matches a waiting deposit that this operator may credit without a second person. */
export async function bringsCredit(
  db: Queryable,
  { operatorId }: OperatorSession,
  lines: readonly StatementLine[],
): Promise<boolean> {
  const found = await db.query(
    `${SAID}, ${EXACT} SELECT 1 FROM exact e WHERE NOT EXISTS (SELECT FROM bank_statements s WHERE s.statement_id = e.statement_id AND s.imported_by = $6)
       OR NOT above_one_person(e.entry_id, e.usd) LIMIT 1`,
    [...namesOf(lines), operatorId],
  );
  return found.length > 0;
}

/** Records an import in the transaction that stores its lines. Returns its number. */
export async function beginTake(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  { sessionId }: OperatorSession,
  lines: readonly StatementLine[],
): Promise<bigint> {
  const takeId = ids.next();
  await db.query(`${SAID} SELECT begin_take($6, $7, ARRAY(SELECT entry_id FROM known ORDER BY entry_id))`, [
    ...namesOf(lines),
    sessionId,
    takeId,
  ]);
  return takeId;
}

interface ExactLine {
  readonly entry_id: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly digits: number;
  readonly usd: bigint;
}

type SettleContext = Pick<OperatorContext, "databases" | "ids">;

/**
 * Credits the lines of an import that match a deposit exactly (reference, amount, currency, account), including lines of
 * earlier files that still wait. One person may credit only up to a limit from statements they imported themselves; lines
 * that somebody else imports too are credited for that person. Each line has a transaction of its own, which locks the
 * member's row no longer than a credit by hand, so that nobody's orders wait for a long file. A line's key lets it be
 * credited only once; if the import is interrupted, `resumeTakes` credits the rest.
 */
export async function settleExact(
  context: SettleContext,
  { takeId, fresh, report }: Kept,
  tell: (credited: Changed) => void,
): Promise<Report> {
  const credited: Report["credited"] = [];
  const waiting: Report["waiting"] = [];
  const settled = await settleTake(context, takeId, ({ usd, ...line }, done) => {
    const shown = { depositNo: formatDepositNo(done.depositId), fiat: fiatOf(line) };
    if (done.booked === null) {
      waiting.push({ ...shown, amount: formatMoney(usd as MicroUsd) });
      return;
    }
    const { memberId, amount } = done.booked;
    credited.push({ ...shown, amount });
    tell({ memberId, depositId: done.depositId });
  });
  return { ...report, credited, waiting, open: fresh.filter((entryId) => !settled.has(entryId)).length };
}

/** Credits the exact lines of an import and ends it. Returns the ids of the lines that now belong to a deposit. */
async function settleTake(
  { databases, ids }: SettleContext,
  takeId: bigint,
  each: (line: ExactLine, done: SettledLine) => void,
): Promise<ReadonlySet<bigint>> {
  const exact = await databases.console.query<ExactLine>(
    `${TAKEN}, ${EXACT} SELECT entry_id, currency, amount, digits, usd FROM exact ORDER BY entry_id`,
    [takeId],
  );
  const settled = new Set<bigint>();
  for (const line of exact) {
    const done = await databases.console.transaction((db) => settleEntry(db, takeId, line.entry_id, ids.next()));
    if (done === null) continue;
    crashPoint("statement.credited");
    settled.add(line.entry_id);
    each(line, done);
  }
  crashPoint("statement.ending");
  await databases.console.query("SELECT end_take($1)", [takeId]);
  crashPoint("statement.ended");
  return settled;
}

interface SettledLine {
  readonly depositId: bigint;
  readonly booked: { readonly memberId: bigint; readonly amount: string } | null;
}

/**
 * Matches and credits one line. Null if it no longer matches exactly one waiting deposit; `booked` is null if a second person
 * is needed.
 */
async function settleEntry(
  db: Queryable,
  takeId: bigint,
  entryId: bigint,
  transferId: bigint,
): Promise<SettledLine | null> {
  const [settled] = await db.query<{ deposit: bigint | null; is_credited: boolean }>(
    "SELECT deposit, is_credited FROM settle_exact_entry($1, $2, $3)",
    [takeId, entryId, transferId],
  );
  if (settled === undefined || settled.deposit === null) return null;
  const { deposit: depositId } = settled;
  if (!settled.is_credited) return { depositId, booked: null };
  crashPoint("statement.settled");
  return { depositId, booked: await tellCredited(db, depositId) };
}

/** An import without progress for this long is resumed. One line takes less, so a running import is left alone. */
const SILENT_MS = 30_000;

/**
 * Resumes imports that were interrupted because their server died or the database was unreachable. Returns how many. The same
 * people may credit the same lines as before.
 */
export async function resumeTakes(
  context: SettleContext,
  tell: (credited: Changed) => void,
  silentMs = SILENT_MS,
): Promise<number> {
  const { databases } = context;
  const open = await databases.console.query<{ take_id: bigint }>(
    "SELECT take_id FROM statement_takes WHERE done_at IS NULL ORDER BY take_id",
  );
  let resumed = 0;
  for (const { take_id: takeId } of open) {
    const [taken] = await databases.console.query<{ ours: boolean }>("SELECT resume_take($1, $2) AS ours", [
      takeId,
      silentMs,
    ]);
    if (taken?.ours !== true) continue;
    await settleTake(context, takeId, (_line, { depositId, booked }) => {
      if (booked !== null) tell({ memberId: booked.memberId, depositId });
    });
    resumed += 1;
  }
  return resumed;
}

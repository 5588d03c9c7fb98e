import {
  accept,
  depositState,
  type DepositStage,
  formatFiat,
  formatId,
  formatMoney,
  formatRate,
  formatUsdt,
  type Instant,
  type MemberId,
  type MicroUsd,
  type Rate,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { DepositCase, DepositEntry, StatementLine } from "@fairtick/protocol/operator";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { hashOn } from "../../platform/chain-text.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { formatCardId, formatDepositNo, parseDepositNo } from "../deposits/index.ts";
import { formatFileId } from "../files/index.ts";
import { formatOperatorId, readDecided } from "../operators/index.ts";
import { readCardProposal, readOtherCards } from "./card-deposits.ts";
import { readCreditedAlike } from "./credited-alike.ts";
import { readReversal } from "./reverse-deposit.ts";
import { LINE, type LineRow, presentLine, type WorthRow } from "./statement-lines.ts";

type CaseRow = CaseFacts & (CardFacts | Readonly<Record<keyof CardFacts, null>>);

/** The receiving card of a bank transfer. */
interface CardFacts {
  readonly card_id: bigint;
  readonly card_version: number;
  readonly bank: string;
  readonly holder: string;
  readonly number: string;
  readonly rate: bigint;
}

interface CaseFacts {
  readonly deposit_id: bigint;
  readonly method: DepositEntry["method"];
  readonly stage: DepositStage;
  readonly stage_at: bigint;
  readonly member_id: bigint;
  readonly account: string;
  readonly amount: bigint;
  readonly created_at: bigint;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly fiat_amount: bigint | null;
  readonly currency: string | null;
  readonly digits: number | null;
  readonly units: string | null;
  /** Whether the transfer is in the token that we accept. Always true for a claim. */
  readonly is_ours: boolean;
  readonly flagged: boolean;
  readonly chain: string | null;
  readonly tx_hash: string | null;
  readonly is_claim: boolean;
  readonly matched_entry: bigint | null;
  readonly proposal_id: bigint | null;
}

const SELECT = `SELECT d.deposit_id, d.method, d.stage, d.stage_at, d.member_id, coalesce(m.email, m.phone, '') AS account, d.amount, d.created_at,
    d.reason, b.reference, b.fiat_amount, b.card_id, b.card_version, b.matched_entry, c.currency, c.digits, c.bank, c.holder, c.number, c.rate,
    coalesce(t.raw_amount, q.quantity) AS units, t.token IS NOT DISTINCT FROM i.token AS is_ours, coalesce(i.chain, q.chain) AS chain, coalesce(t.tx_hash, q.tx_hash) AS tx_hash,
    q.deposit_id IS NOT NULL AS is_claim, p.proposal_id,
    EXISTS (SELECT FROM deposit_receipts r JOIN files f USING (file_id) JOIN files o ON o.digest = f.digest AND o.file_id <> f.file_id
      JOIN deposit_receipts u ON u.file_id = o.file_id WHERE r.deposit_id = d.deposit_id AND u.deposit_id <> d.deposit_id) AS flagged
  FROM deposits d JOIN members m USING (member_id) LEFT JOIN bank_deposits b USING (deposit_id)
  LEFT JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
  LEFT JOIN chain_transfers t USING (deposit_id) LEFT JOIN chain_instances i USING (instance_id)
  LEFT JOIN chain_claims q USING (deposit_id) LEFT JOIN card_deposits p USING (deposit_id)`;

function presentEntry(row: CaseRow, now: Instant): DepositEntry {
  return {
    depositNo: formatDepositNo(row.deposit_id),
    method: row.method,
    state: depositState(row.stage, row.stage_at as Instant, now),
    stage: row.stage,
    memberId: formatId("member", row.member_id as MemberId),
    account: row.account,
    amount: formatMoney(row.amount as MicroUsd),
    sent: sentOf(row),
    reference: row.reference,
    createdAt: Number(row.created_at),
    flagged: row.flagged,
  };
}

function sentOf({ fiat_amount: fiat, currency, digits, units, is_ours: isOurs }: CaseRow): string | null {
  if (fiat !== null && currency !== null && digits !== null) return `${currency} ${formatFiat(fiat, digits)}`;
  // Units of another token have no meaning here.
  return units === null || !isOurs ? null : `${formatUsdt(BigInt(units) as MicroUsd)} USDT`;
}

const WANTED = {
  // Bank transfers with a receipt or a statement line, card payments, claims, transfers below the minimum or in another token,
  // and what the bank takes back. Each part uses an index of its own, so finished deposits are never scanned.
  waiting: `d.deposit_id IN (
    SELECT deposit_id FROM deposits WHERE stage IN ('in_review', 'claimed', 'below_minimum', 'wrong_token')
    UNION SELECT o.deposit_id FROM deposits o JOIN bank_deposits r USING (deposit_id) JOIN statement_entries e ON e.reference = r.reference
      WHERE o.stage IN ('awaiting_transfer', 'expired')
    UNION SELECT deposit_id FROM reversals_waiting)`,
  underway:
    "d.stage IN ('awaiting_transfer', 'in_review', 'claimed', 'below_minimum', 'wrong_token', 'confirming', 'orphaned')",
  done: "d.stage IN ('expired', 'credited', 'rejected', 'reversed')",
  all: "d.stage <> 'linked'",
} as const;

const PAGE = 50;
const SUGGESTIONS_MAX = 20;
const ID_END = (1n << 63n) - 1n;

/** Reads since when deposits wait for a person, oldest first. Each row also has the number of all waiting ones. */
export function readWaitingDeposits(db: Queryable, most: number): Promise<{ at: bigint; open: bigint }[]> {
  return db.query(
    `SELECT d.stage_at AS at, count(*) OVER () AS open FROM deposits d WHERE ${WANTED.waiting} ORDER BY d.stage_at LIMIT $1`,
    [most],
  );
}

/** Returns whether a deposit with this number exists and waits for operators. */
export async function isWaitingDeposit(db: Queryable, depositNo: string): Promise<boolean> {
  const found = await db.query(`SELECT 1 FROM deposits d WHERE d.deposit_id = $1 AND ${WANTED.waiting}`, [
    parseDepositNo(depositNo),
  ]);
  return found.length > 0;
}

export interface QueueFilters {
  readonly state?: keyof typeof WANTED | undefined;
  readonly method?: DepositEntry["method"] | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * Lists deposits page by page. Waiting ones come oldest first, since they are a queue; others newest first. Refuses
 * FIELD_INVALID for a bad cursor.
 */
export async function listCases(
  db: Queryable,
  filters: QueueFilters,
  now: Instant,
): Promise<Verdict<{ items: DepositEntry[]; nextCursor: string | null }>> {
  const state = filters.state ?? "waiting";
  const rises = state === "waiting";
  const start = rises ? 0n : ID_END;
  const cursor = filters.cursor === undefined ? start : parseDepositNo(filters.cursor);
  if (cursor === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = filters.limit ?? PAGE;
  const rows = await db.query<CaseRow>(
    `${SELECT} WHERE ${WANTED[state]} AND ($1::text IS NULL OR d.method = $1) AND d.deposit_id ${rises ? ">" : "<"} $2
     ORDER BY d.deposit_id ${rises ? "" : "DESC"} LIMIT $3`,
    [filters.method ?? null, cursor, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => presentEntry(row, now));
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.depositNo ?? null) : null });
}

/** Reads a deposit with everything that finance needs to decide on it. Refuses NOT_FOUND. */
export async function readCase(
  db: Queryable,
  chains: readonly ChainSettings[],
  depositNo: string,
  now: Instant,
): Promise<Verdict<DepositCase>> {
  const depositId = parseDepositNo(depositNo);
  const [row] = depositId === null ? [] : await db.query<CaseRow>(`${SELECT} WHERE d.deposit_id = $1`, [depositId]);
  if (row === undefined || depositId === null) return refuse("NOT_FOUND");
  const { card_id: cardId, card_version: version, bank, holder, number, rate } = row;
  const steps = await db.query<{ stage: string; at: bigint }>(
    "SELECT stage, at FROM deposit_steps WHERE deposit_id = $1 ORDER BY step",
    [depositId],
  );
  return accept({
    ...presentEntry(row, now),
    reason: row.reason,
    card:
      cardId === null
        ? null
        : { cardId: formatCardId(cardId), version, bank, holder, number, rate: formatRate(rate as Rate) },
    receipts: await readReceipts(db, depositId),
    steps: steps.map(({ stage, at }) => ({ stage, at: Number(at) })),
    decided: await readDecided(db, depositNo, ["matchStatement", "credit", "reject"]),
    matched: await readMatched(db, row),
    suggestions: await suggestLines(db, row),
    chain:
      row.chain === null
        ? null
        : { chain: row.chain, txHash: row.tx_hash && hashOn(chains, row.chain, row.tx_hash), claimed: row.is_claim },
    proposal: row.proposal_id === null ? null : await readCardProposal(db, row.proposal_id),
    otherCards: row.method === "card" ? await readOtherCards(db, row.member_id, depositId) : [],
    couldBe: row.stage === "claimed" ? await readCreditedAlike(db, chains, row) : [],
    returns: await readReturns(db, depositId),
    reversal: await readReversal(db, depositId),
  });
}

/** Reads a deposit's receipts, newest first, each with the other deposits that have the same picture. */
async function readReceipts(db: Queryable, depositId: bigint): Promise<DepositCase["receipts"]> {
  const rows = await db.query<{ file_id: bigint; put_at: bigint; also_at: bigint[] }>(
    `SELECT r.file_id, r.put_at, ARRAY(SELECT DISTINCT u.deposit_id FROM files o JOIN deposit_receipts u ON u.file_id = o.file_id
       WHERE o.digest = f.digest AND u.deposit_id <> r.deposit_id ORDER BY 1) AS also_at
     FROM deposit_receipts r JOIN files f USING (file_id) WHERE r.deposit_id = $1 ORDER BY r.put_at DESC, r.file_id DESC`,
    [depositId],
  );
  return rows.map((row) => ({
    fileId: formatFileId(row.file_id),
    putAt: Number(row.put_at),
    alsoAt: row.also_at.map(formatDepositNo),
  }));
}

async function readMatched(db: Queryable, { matched_entry: entryId, deposit_id: depositId }: CaseRow) {
  if (entryId === null) return null;
  const [row] = await db.query<
    WorthRow & { above: Present<boolean>; max: bigint; operator_id: bigint; login: string; name: string }
  >(
    `SELECT ${LINE}, worth_of_entry($2, e.entry_id) AS worth, above_one_person(e.entry_id, worth_of_entry($2, e.entry_id)) AS above,
       one_person_max() AS max, o.operator_id, o.login, o.name
     FROM statement_entries e JOIN bank_statements s USING (statement_id) JOIN operators o ON o.operator_id = s.imported_by
     WHERE e.entry_id = $1`,
    [entryId, depositId],
  );
  if (row === undefined) return null;
  const { operator_id: operatorId, login, name } = row;
  return {
    ...presentLine(row),
    worth: formatMoney(row.worth as MicroUsd),
    importedBy: { operatorId: formatOperatorId(operatorId), login, name },
    aboveOnePerson: row.above,
    onePersonMax: formatMoney(row.max as MicroUsd),
  };
}

async function readReturns(db: Queryable, depositId: bigint): Promise<StatementLine[]> {
  const rows = await db.query<LineRow>(
    `SELECT e.return_id AS entry_id, e.account, to_char(e.booked_on, 'YYYY-MM-DD') AS booked_on, e.amount, e.digits, e.currency, e.debtor,
       e.remittance, e.reference FROM returned_deposits w JOIN statement_returns e USING (return_id) WHERE w.deposit_id = $1 ORDER BY e.return_id`,
    [depositId],
  );
  return rows.map(presentLine);
}

/** Stages in which a statement line can be matched. `expired` is one of them, so that a late payment isn't lost. */
const TAKES_LINES: ReadonlySet<DepositStage> = new Set(["awaiting_transfer", "in_review", "expired"]);

/** Suggests free lines on the same account in the same currency: those with its reference or amount first, then the newest. */
async function suggestLines(db: Queryable, row: CaseRow): Promise<DepositCase["suggestions"]> {
  if (!TAKES_LINES.has(row.stage)) return [];
  if (row.card_id === null) return [];
  const lines = await db.query<WorthRow & { same_reference: boolean; same_amount: boolean }>(
    `SELECT ${LINE}, worth_of_entry($1, e.entry_id) AS worth, coalesce(e.reference = $4, false) AS same_reference, e.amount = $5 AS same_amount
     FROM statement_entries e WHERE e.account = $2 AND e.currency = $3
       AND NOT EXISTS (SELECT FROM bank_deposits b WHERE b.matched_entry = e.entry_id)
     ORDER BY same_reference DESC, same_amount DESC, e.entry_id DESC LIMIT ${SUGGESTIONS_MAX}`,
    [row.deposit_id, row.number, row.currency, row.reference, row.fiat_amount],
  );
  return lines.map((line) =>
    Object.assign(presentLine(line), {
      worth: formatMoney(line.worth as MicroUsd),
      sameReference: line.same_reference,
      sameAmount: line.same_amount,
    }),
  );
}

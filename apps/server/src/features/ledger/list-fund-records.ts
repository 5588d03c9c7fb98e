import {
  accept,
  formatId,
  formatMoney,
  formatPrefixedId,
  FUND_RECORD_OF,
  type FundRecordType,
  type Instant,
  type MemberId,
  type MicroUsd,
  type MovementKind,
  type OrderId,
  parsePrefixedId,
  refuse,
  type Verdict,
  type Wallet,
} from "@fairtick/domain";
import type { FundRecord } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Present } from "../../platform/database.ts";
import { listDepositRecords } from "./list-deposit-records.ts";
import { listWithdrawalRecords } from "./list-withdrawal-records.ts";

export interface FundFilters {
  readonly wallet: Wallet;
  readonly kind: "all" | "deposit" | "withdraw";
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Cursor of a page: the number of its last record. The next page starts with the record before it. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface FundPage {
  readonly items: FundRecord[];
  readonly nextCursor: string | null;
}

interface FactRow {
  readonly member_seq: bigint;
  readonly kind: MovementKind;
  /** Number of the order, or of the deposit or withdrawal if the record is about one. */
  readonly order_id: bigint | null;
  readonly time: bigint;
  readonly amount: bigint;
  /** Null in the table only for transfers of the house's own money. */
  readonly available_after: Present<bigint>;
  /** Reason of a correction or reversal; null for other records. */
  readonly note: string | null;
  /** Fee contained in a withdrawal's hold; null for other records. */
  readonly fee: bigint | null;
}

const PAGE_RECORDS = 20;
/** Prefix of a record's number. A member's facts are numbered, and a record's number and cursor are the number of its fact. */
const RECORD_PREFIX = "rec";
const DEPOSIT_PREFIX = "dep";
const WITHDRAWAL_PREFIX = "wdr";
const SEQ_END = (1n << 63n) - 1n;
const WIRE_TYPES: Readonly<Record<FundRecordType, FundRecord["type"]>> = {
  system: "system",
  deposit: "deposit",
  withdraw: "withdraw",
  trade: "instantTrade",
};

/**
 * Lists changes of a wallet's available balance from the ledger, newest first; or deposits or withdrawals, which are
 * requests of their own. Refuses FIELD_INVALID for a bad cursor.
 */
export async function listFundRecords(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  filters: FundFilters,
): Promise<Verdict<FundPage>> {
  if (filters.kind === "deposit") return listDepositRecords(databases.reader, memberId, filters);
  if (filters.kind === "withdraw") return listWithdrawalRecords(databases.reader, memberId, filters);
  const before = filters.cursor === undefined ? SEQ_END : parsePrefixedId(RECORD_PREFIX, filters.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = filters.limit ?? PAGE_RECORDS;
  const rows = await databases.reader.query<FactRow>(
    `SELECT * FROM (
       SELECT member_seq, 'stake_hold' AS kind, order_id, accepted_at AS time, -(stake + fee) AS amount, available_after, NULL AS note, NULL::bigint AS fee
         FROM orders WHERE member_id = $1 AND wallet = $2
       UNION ALL
       SELECT s.member_seq, CASE s.outcome WHEN 'won' THEN 'settle_won' ELSE 'release' END, s.order_id, s.settled_at, s.credit, s.available_after, NULL, NULL
         FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
         WHERE s.member_id = $1 AND o.wallet = $2 AND s.outcome <> 'lost'
       UNION ALL
       SELECT t.member_seq, t.kind, coalesce(d.deposit_id, v.deposit_id, h.withdrawal_id, e.withdrawal_id), t.made_at, p.change, t.available_after,
           CASE WHEN t.kind IN ('correction', 'deposit_reversed') THEN t.remark END, h.fee
         FROM transfers t LEFT JOIN deposits d USING (transfer_id) LEFT JOIN deposit_reversals v USING (transfer_id)
         LEFT JOIN withdrawals h ON h.hold_id = t.transfer_id LEFT JOIN withdrawals e ON e.end_id = t.transfer_id CROSS JOIN LATERAL (
           SELECT sum(CASE 'available' WHEN to_account THEN amount WHEN from_account THEN -amount ELSE 0 END)::bigint AS change
           FROM postings WHERE transfer_id = t.transfer_id) p
         WHERE t.member_id = $1 AND t.wallet = $2 AND p.change <> 0
     ) AS facts
     WHERE member_seq < $3 AND ($4::bigint IS NULL OR time >= $4) AND ($5::bigint IS NULL OR time <= $5)
     ORDER BY member_seq DESC LIMIT $6`,
    [memberId, filters.wallet, before, filters.from ?? null, filters.to ?? null, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => recordOf(row, filters.wallet));
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.recordNo ?? null) : null });
}

/** Reads the records of a period in pieces, newest first, so that files can have any length. */
export async function* eachFundRecord(
  context: Pick<Context, "databases">,
  memberId: MemberId,
  filters: FundFilters,
): AsyncGenerator<FundRecord> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await listFundRecords(context, memberId, { ...filters, limit: 1_000, cursor: cursor ?? undefined });
    if (!page.ok) throw new Error("the cursor of an export was refused");
    yield* page.value.items;
    cursor = page.value.nextCursor;
  }
}

function recordOf(row: FactRow, wallet: Wallet): FundRecord {
  const seen = FUND_RECORD_OF[row.kind];
  if (seen === null) throw new Error(`a ${row.kind} does not change available`);
  return {
    recordNo: formatPrefixedId(RECORD_PREFIX, row.member_seq),
    orderNo: numberOf(row),
    time: Number(row.time),
    currency: "USD",
    type: WIRE_TYPES[seen.type],
    amount: formatMoney(row.amount as MicroUsd),
    balanceAfter: formatMoney(row.available_after as MicroUsd),
    remark: seen.remark,
    ...(row.note !== null && { note: row.note }),
    ...(row.fee !== null && { fee: formatMoney(row.fee as MicroUsd) }),
    wallet,
  };
}

function numberOf({ kind, order_id }: FactRow): string | null {
  if (order_id === null) return null;
  const { type } = FUND_RECORD_OF[kind] ?? {};
  if (type === "deposit") return formatPrefixedId(DEPOSIT_PREFIX, order_id);
  return type === "withdraw" ? formatPrefixedId(WITHDRAWAL_PREFIX, order_id) : formatId("order", order_id as OrderId);
}

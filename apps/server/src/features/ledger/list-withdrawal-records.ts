import {
  accept,
  formatMoney,
  formatPrefixedId,
  type MemberId,
  type MicroUsd,
  parsePrefixedId,
  refuse,
  type Verdict,
  type WithdrawalStage,
  withdrawalState,
} from "@fairtick/domain";
import type { Present, Queryable } from "../../platform/database.ts";
import type { FundFilters, FundPage } from "./list-fund-records.ts";

interface RequestRow {
  readonly withdrawal_id: bigint;
  readonly stage: WithdrawalStage;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly created_at: bigint;
  /** Null in the table only for transfers of the house's own money. */
  readonly available_after: Present<bigint>;
}

const PAGE_RECORDS = 20;
const WITHDRAWAL_PREFIX = "wdr";
const ID_END = (1n << 63n) - 1n;

/**
 * Lists a member's withdrawals with amount, time and state. Withdrawals always belong to the real wallet. Refuses
 * FIELD_INVALID for a bad cursor.
 */
export async function listWithdrawalRecords(
  reader: Queryable,
  memberId: MemberId,
  filters: FundFilters,
): Promise<Verdict<FundPage>> {
  const before = filters.cursor === undefined ? ID_END : parsePrefixedId(WITHDRAWAL_PREFIX, filters.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  if (filters.wallet !== "real") return accept({ items: [], nextCursor: null });
  const limit = filters.limit ?? PAGE_RECORDS;
  const rows = await reader.query<RequestRow>(
    `SELECT w.withdrawal_id, w.stage, w.amount, w.fee, w.created_at, t.available_after
     FROM withdrawals w JOIN transfers t ON t.transfer_id = w.hold_id
     WHERE w.member_id = $1 AND w.withdrawal_id < $2 AND ($3::bigint IS NULL OR w.created_at >= $3) AND ($4::bigint IS NULL OR w.created_at <= $4)
     ORDER BY w.withdrawal_id DESC LIMIT $5`,
    [memberId, before, filters.from ?? null, filters.to ?? null, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => {
    const number = formatPrefixedId(WITHDRAWAL_PREFIX, row.withdrawal_id);
    return {
      recordNo: number,
      orderNo: number,
      time: Number(row.created_at),
      currency: "USD",
      type: "withdraw" as const,
      amount: formatMoney(-row.amount as MicroUsd),
      balanceAfter: formatMoney(row.available_after as MicroUsd),
      remark: "withdrawal",
      fee: formatMoney(row.fee as MicroUsd),
      wallet: "real" as const,
      state: withdrawalState(row.stage),
    };
  });
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.recordNo ?? null) : null });
}

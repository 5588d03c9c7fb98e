import {
  accept,
  DEPOSIT_REMARK_OF,
  type DepositStage,
  depositState,
  formatMoney,
  formatPrefixedId,
  type Instant,
  type MemberId,
  type MicroUsd,
  parsePrefixedId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { FundFilters, FundPage } from "./list-fund-records.ts";

interface RequestRow {
  readonly deposit_id: bigint;
  readonly stage: DepositStage;
  readonly stage_at: bigint;
  readonly amount: bigint;
  readonly created_at: bigint;
  readonly available_after: bigint | null;
  readonly now: bigint;
}

const PAGE_RECORDS = 20;
const DEPOSIT_PREFIX = "dep";
const ID_END = (1n << 63n) - 1n;

/**
 * Lists a member's deposits with amount, time and state. Deposits always belong to the real wallet. Refuses
 * FIELD_INVALID for a bad cursor.
 */
export async function listDepositRecords(
  reader: Queryable,
  memberId: MemberId,
  filters: FundFilters,
): Promise<Verdict<FundPage>> {
  const before = filters.cursor === undefined ? ID_END : parsePrefixedId(DEPOSIT_PREFIX, filters.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  if (filters.wallet !== "real") return accept({ items: [], nextCursor: null });
  const limit = filters.limit ?? PAGE_RECORDS;
  const rows = await reader.query<RequestRow>(
    `SELECT d.deposit_id, d.stage, d.stage_at, d.amount, d.created_at, t.available_after,
       floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
     FROM deposits d LEFT JOIN transfers t USING (transfer_id)
     WHERE d.member_id = $1 AND d.stage <> 'linked' AND d.deposit_id < $2 AND ($3::bigint IS NULL OR d.created_at >= $3) AND ($4::bigint IS NULL OR d.created_at <= $4)
     ORDER BY d.deposit_id DESC LIMIT $5`,
    [memberId, before, filters.from ?? null, filters.to ?? null, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => {
    const number = formatPrefixedId(DEPOSIT_PREFIX, row.deposit_id);
    return {
      recordNo: number,
      orderNo: number,
      time: Number(row.created_at),
      currency: "USD",
      type: "deposit" as const,
      amount: formatMoney(row.amount as MicroUsd),
      balanceAfter: row.available_after === null ? null : formatMoney(row.available_after as MicroUsd),
      remark: DEPOSIT_REMARK_OF[row.stage],
      wallet: "real" as const,
      state: depositState(row.stage, row.stage_at as Instant, row.now as Instant),
    };
  });
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.recordNo ?? null) : null });
}

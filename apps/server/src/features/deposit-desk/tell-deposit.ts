import { formatMoney, type MicroUsd } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";
import { tellMember } from "../notices/index.ts";

/** A deposit that has changed, and the member to tell about it. */
export interface Changed {
  readonly memberId: bigint;
  readonly depositId: bigint;
}

/** Writes a message to the member of a deposit that was just credited. */
export async function tellCredited(
  db: Queryable,
  depositId: bigint,
): Promise<{ readonly memberId: bigint; readonly amount: string }> {
  const [row] = await db.query<{ member_id: bigint; amount: bigint }>(
    "SELECT member_id, amount FROM deposits WHERE deposit_id = $1",
    [depositId],
  );
  if (row === undefined) throw new Error(`deposit ${depositId} is not there`);
  const amount = formatMoney(row.amount as MicroUsd);
  await tellMember(db, row.member_id, "depositCredited", { amount, depositNo: formatDepositNo(depositId) });
  return { memberId: row.member_id, amount };
}

/** Writes a message to the member of a deposit that just failed. */
export async function tellFailed(db: Queryable, depositId: bigint): Promise<Changed> {
  const [row] = await db.query<{ member_id: bigint; amount: bigint; reason: string | null }>(
    "SELECT member_id, amount, reason FROM deposits WHERE deposit_id = $1",
    [depositId],
  );
  if (row === undefined) throw new Error(`deposit ${depositId} is not there`);
  await tellMember(db, row.member_id, "depositFailed", {
    amount: formatMoney(row.amount as MicroUsd),
    depositNo: formatDepositNo(depositId),
    reason: row.reason ?? "",
  });
  return { memberId: row.member_id, depositId };
}

import { formatMoney, formatUsdt, type MicroUsd } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";
import { type Warning, warnMember } from "../security-notices/index.ts";
import type { MovedWithdrawal } from "./announce-withdrawals.ts";
import { formatWithdrawNo } from "./withdrawal-view.ts";

interface Told {
  readonly memberId: bigint;
  readonly withdrawalId: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
}

/** Events that a member gets a message about. */
export type WithdrawalNews =
  | { readonly kind: "paid" | "takenBack" | "endedForDebt" }
  /**
   * Less arrived than was to be paid. `arrived` is in the token's smallest unit, and `rest` is the missing part that
   * went back to the wallet.
   */
  | { readonly kind: "short"; readonly arrived: bigint; readonly rest: bigint }
  /** Rejected by an operator, or returned because no attempt can pay any more. */
  | { readonly kind: "canceled"; readonly reason: string };

/** Writes the system messages about withdrawals, in the transaction of what they are about. */
export async function tellOfWithdrawal(db: Queryable, told: Told, news: WithdrawalNews): Promise<void> {
  const { memberId } = told;
  const withdrawNo = formatWithdrawNo(told.withdrawalId);
  const amount = formatMoney(told.amount as MicroUsd);
  switch (news.kind) {
    case "paid": {
      const receives = formatMoney((told.amount - told.fee) as MicroUsd);
      await tellMember(db, memberId, "withdrawalPaid", { amount, receives, withdrawNo });
      return;
    }
    case "short": {
      const receives = formatMoney((told.amount - told.fee) as MicroUsd);
      const [arrived, returned] = [formatUsdt(news.arrived as MicroUsd), formatMoney(news.rest as MicroUsd)];
      await tellMember(db, memberId, "withdrawalShort", { amount, receives, arrived, returned, withdrawNo });
      return;
    }
    case "takenBack":
      await tellMember(db, memberId, "withdrawalTakenBack", { amount, withdrawNo });
      return;
    case "endedForDebt":
      await tellMember(db, memberId, "withdrawalEndedForDebt", { amount, withdrawNo });
      return;
    case "canceled":
      await tellMember(db, memberId, "withdrawalCanceled", { amount, withdrawNo, reason: news.reason });
  }
}

/** Warns a member that a withdrawal was requested from their account. Returns what to send after the commit. */
export function warnOfRequest(db: Queryable, context: Pick<Context, "config">, told: Told): Promise<Warning> {
  const params = {
    amount: formatMoney(told.amount as MicroUsd),
    withdrawNo: formatWithdrawNo(told.withdrawalId),
  };
  return warnMember(db, context, told.memberId, { key: "withdrawalRequested", params });
}

/** Writes messages about withdrawals that a reversal has ended, and returns them for announcing. */
export async function tellOfEnded(db: Queryable, ended: readonly bigint[]): Promise<MovedWithdrawal[]> {
  const rows = await db.query<{ withdrawal_id: bigint; member_id: bigint; amount: bigint; fee: bigint }>(
    "SELECT withdrawal_id, member_id, amount, fee FROM withdrawals WHERE withdrawal_id = ANY($1::bigint[]) ORDER BY withdrawal_id",
    [ended.map(String)],
  );
  const moved: MovedWithdrawal[] = [];
  for (const { withdrawal_id: withdrawalId, member_id: memberId, amount, fee } of rows) {
    await tellOfWithdrawal(db, { memberId, withdrawalId, amount, fee }, { kind: "endedForDebt" });
    moved.push({ memberId, withdrawalId, stage: "rejected" });
  }
  return moved;
}

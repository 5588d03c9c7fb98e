import { accept, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Withdrawal } from "@fairtick/protocol";
import { crashPoint } from "../../platform/crash-point.ts";
import { announceWithdrawals } from "./announce-withdrawals.ts";
import { readWithdrawal } from "./list-withdrawals.ts";
import { tellOfWithdrawal } from "./tell-of-withdrawal.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";
import { parseWithdrawNo } from "./withdrawal-view.ts";

/**
 * Cancels a withdrawal that has no nonce yet and releases the held amount at once. Canceling it again returns the canceled
 * withdrawal. Refuses NOT_FOUND and WITHDRAWAL_NOT_CANCELABLE.
 */
export async function cancelWithdrawal(
  context: WithdrawalContext,
  memberId: MemberId,
  withdrawNo: string,
): Promise<Verdict<Withdrawal>> {
  const found = await readWithdrawal(context, memberId, withdrawNo);
  const withdrawalId = parseWithdrawNo(withdrawNo);
  if (!found.ok || withdrawalId === null) return refuse("NOT_FOUND");
  if (found.value.stage === "canceled") return accept(found.value);
  const canceled = await context.databases.money.transaction(async (transaction) => {
    const [answer] = await transaction.query<{ done: boolean }>("SELECT cancel_withdrawal($1, $2, $3) AS done", [
      memberId,
      withdrawalId,
      context.ids.next(),
    ]);
    if (answer?.done !== true) return false;
    const [row] = await transaction.query<{ amount: bigint; fee: bigint }>(
      "SELECT amount, fee FROM withdrawals WHERE withdrawal_id = $1",
      [withdrawalId],
    );
    if (row !== undefined) {
      await tellOfWithdrawal(transaction, { memberId, withdrawalId, ...row }, { kind: "takenBack" });
    }
    crashPoint("withdrawal.canceling");
    return true;
  });
  crashPoint("withdrawal.canceled");
  if (!canceled) return refuse("WITHDRAWAL_NOT_CANCELABLE");
  announceWithdrawals(context.bus, [{ memberId, withdrawalId, stage: "canceled" }]);
  return readWithdrawal(context, memberId, withdrawNo);
}

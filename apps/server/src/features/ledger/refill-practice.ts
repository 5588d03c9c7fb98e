import {
  accept,
  type ClientId,
  type IdSource,
  type MemberId,
  type MicroUsd,
  refillAmount,
  transferMovement,
  type Verdict,
} from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { LOCK_MEMBERS } from "./money-rows.ts";
import { writeTransfer } from "./transfer-rows.ts";
import { arrayText } from "../../platform/lane.ts";

export interface RefillContext extends Pick<Context, "databases" | "bus"> {
  readonly ids: IdSource;
}

/**
 * Refills the practice wallet to 10,000.00, once for each client id. Refuses REFILL_NOT_NEEDED[below] while available
 * and locked money together are 1,000.00 or more, and NOT_FOUND for a member without wallets.
 */
export async function refillPractice(
  context: RefillContext,
  memberId: MemberId,
  clientId: ClientId,
): Promise<Verdict<null>> {
  const verdict = await context.databases.money.transaction(async (transaction): Promise<Verdict<null>> => {
    await transaction.query(LOCK_MEMBERS.text, [arrayText([memberId])]);
    const idempotencyKey = `refill:${memberId}:${clientId}`;
    const [member] = await transaction.query<{ available: bigint; locked: bigint; done: boolean }>(
      `SELECT practice_available AS available, practice_locked AS locked,
         EXISTS (SELECT FROM transfers WHERE idempotency_key = $2) AS done
       FROM members_money WHERE member_id = $1`,
      [memberId, idempotencyKey],
    );
    if (member === undefined) return { ok: false, refusal: { error: "NOT_FOUND" } };
    if (member.done) return accept(null);
    const amount = refillAmount({
      available: member.available as MicroUsd,
      locked: member.locked as MicroUsd,
    });
    if (!amount.ok) return amount;
    await writeTransfer(transaction, {
      transferId: context.ids.next(),
      wallet: "practice",
      movement: transferMovement({ kind: "practice_issue", amount: amount.value }),
      idempotencyKey,
      remark: "refill",
      member: { memberId },
    });
    return accept(null);
  });
  if (verdict.ok) context.bus.publish("accounts", { members: [memberId] });
  return verdict;
}

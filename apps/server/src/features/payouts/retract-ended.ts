import { formatWithdrawNo, paymentOf, WITHDRAWAL_SELECT, type WithdrawalRow } from "../withdrawals/index.ts";
import { callPerson, type PayoutParts } from "./payout-parts.ts";

/** How many a round tells of. The rest waits for the next one, so that payments don't wait for all of them. */
const ENDED_MAX = 100;

/**
 * Tells the signer of withdrawals that were canceled or rejected after an approval. It drops them from its daily limits and
 * never authorizes them again, whoever brings the operators' signatures. Repeats what it didn't confirm.
 */
export async function retractEnded(parts: PayoutParts): Promise<void> {
  const { databases, settings, signer, clock } = parts;
  const ended = await databases.payout.query<WithdrawalRow>(
    `${WITHDRAWAL_SELECT} JOIN ended_authorizations e USING (withdrawal_id)
     WHERE e.told_at IS NULL AND w.chain = $1 ORDER BY w.withdrawal_id LIMIT $2`,
    [settings.chain, ENDED_MAX],
  );
  for (const row of ended) {
    const answer = await signer.retract(paymentOf(row), { final: true });
    if (!answer.ok) {
      // It says that it signed a payment that never had a nonce. The money may leave although it was returned.
      const subject = `${formatWithdrawNo(row.withdrawal_id)} ${answer.refusal}`;
      await callPerson(parts, "payout_refused", subject, row.member_id, { detail: answer.detail });
    }
    await databases.payout.query("UPDATE ended_authorizations SET told_at = $2 WHERE withdrawal_id = $1", [
      row.withdrawal_id,
      clock.now(),
    ]);
  }
}

import type { PayoutWait, WithdrawalStage } from "@fairtick/domain";
import { announceWithdrawals, type WithdrawalRow } from "../withdrawals/index.ts";
import type { PayoutInstance, PayoutParts } from "./payout-parts.ts";
import type { PayoutWallet } from "./payout-wallet.ts";

interface Noted {
  readonly member_id: bigint;
  readonly withdrawal_id: bigint;
  readonly stage: WithdrawalStage;
}

/** Notes why an approved payment gets no nonce in this round, for its member and the operators. */
export async function noteWait(parts: PayoutParts, row: WithdrawalRow, wait: PayoutWait): Promise<void> {
  if (row.payout_waits === wait) return;
  const noted = await parts.databases.payout.query<Noted>(
    `UPDATE withdrawals SET payout_waits = $2 WHERE withdrawal_id = $1 AND stage = 'approved' AND payout_waits IS DISTINCT FROM $2
     RETURNING member_id, withdrawal_id, stage`,
    [row.withdrawal_id, wait],
  );
  announce(parts, noted);
}

/** Notes of all payments that aren't sent yet whether they wait because the wallet is stopped. */
export async function noteStop(parts: PayoutParts, instance: PayoutInstance, wallet: PayoutWallet): Promise<void> {
  const { payout } = parts.databases;
  const noted = wallet.stopped
    ? await payout.query<Noted>(
        `UPDATE withdrawals SET payout_waits = 'payoutsStopped'
         WHERE end_id IS NULL AND instance_id = $1 AND stage IN ('approved', 'reserved', 'signed')
           AND payout_waits IS DISTINCT FROM 'payoutsStopped' RETURNING member_id, withdrawal_id, stage`,
        [instance.instanceId],
      )
    : await payout.query<Noted>(
        `UPDATE withdrawals SET payout_waits = NULL WHERE end_id IS NULL AND instance_id = $1 AND payout_waits = 'payoutsStopped'
         RETURNING member_id, withdrawal_id, stage`,
        [instance.instanceId],
      );
  announce(parts, noted);
}

function announce({ bus }: PayoutParts, noted: readonly Noted[]): void {
  announceWithdrawals(
    bus,
    noted.map(({ member_id: memberId, withdrawal_id: withdrawalId, stage }) => ({ memberId, withdrawalId, stage })),
  );
}

import { balanceChange, HOUSE_ACCOUNTS, type MemberId, type Movement, type Wallet } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { arrayText } from "../../platform/lane.ts";

export interface NewTransfer {
  readonly transferId: bigint;
  readonly wallet: Wallet;
  readonly movement: Movement;
  /** Key that makes sure the transfer is written only once. */
  readonly idempotencyKey: string;
  readonly remark: string;
  /** The member whose money it moves; null for the house's own. The caller holds the lock on their row. */
  readonly member: { readonly memberId: MemberId } | null;
}

/**
 * Writes a transfer with its postings. Triggers of the database then move the balances: the member's row first, then
 * the house's. Returns false, with nothing written, if the key was used before. PostgreSQL refuses a negative balance
 * of a member.
 */
export async function writeTransfer(transaction: Queryable, transfer: NewTransfer): Promise<boolean> {
  const { wallet, movement, member } = transfer;
  const { postings } = movement;
  const available = balanceChange(postings, "available");
  const written = await transaction.query(
    `INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
     SELECT $1, $2, $3::wallet, m.member_id, m.member_seq + 1,
       CASE $3::wallet WHEN 'practice' THEN m.practice_available ELSE m.real_available END + $7::bigint,
       floor(extract(epoch FROM clock_timestamp()) * 1000), $5, $6
     FROM (SELECT 1) AS one LEFT JOIN members_money m ON m.member_id = $4::bigint
     ON CONFLICT (idempotency_key) DO NOTHING RETURNING transfer_id`,
    [
      transfer.transferId,
      movement.kind,
      wallet,
      member?.memberId ?? null,
      transfer.idempotencyKey,
      transfer.remark,
      available,
    ],
  );
  if (written.length === 0) return false;
  await transaction.query(
    `INSERT INTO postings (transfer_id, line, from_account, to_account, amount)
     SELECT $1, number, from_account, to_account, amount
     FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS p(from_account, to_account, amount, number)`,
    [
      transfer.transferId,
      postings.map(({ from }) => from),
      postings.map(({ to }) => to),
      arrayText(postings.map(({ amount }) => amount)),
    ],
  );
  if (member !== null) {
    await transaction.query("SELECT apply_transfer($1)", [transfer.transferId]);
    return true;
  }
  for (const account of [...HOUSE_ACCOUNTS].sort()) {
    const change = balanceChange(postings, account);
    if (change === 0n) continue;
    await transaction.query("UPDATE house_accounts SET balance = balance + $3 WHERE wallet = $1 AND account = $2", [
      wallet,
      account,
      change,
    ]);
  }
  return true;
}

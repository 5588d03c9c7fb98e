import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  announceWithdrawals,
  formatWithdrawNo,
  type MovedWithdrawal,
  paymentOf,
  WITHDRAWAL_SELECT,
  type WithdrawalRow,
} from "../withdrawals/index.ts";
import { renew } from "./decide-requests.ts";
import type { PayoutInstance, PayoutParts } from "./payout-parts.ts";
import { type PayoutWallet, stopWallet } from "./payout-wallet.ts";
import { storeAttempt } from "./send-payments.ts";
import type { SigningTerms } from "../signer/index.ts";
import { termsNow } from "./signing-terms.ts";

/** Refusals that pass: nothing is wrong with the payment, and the signer may sign it a moment later. */
const PASSING: ReadonlySet<string> = new Set(["FEE", "EXPIRATION", "MAY_BE_PAID"]);

type Outcome = "none" | "signed" | "waits" | "returned" | "stuck";

/**
 * Has payments with a nonce signed, lowest nonce first, and stores the bytes. Nothing is sent here. No payment is signed
 * before those with lower nonces: one that can't be signed then gives its nonce back, and no signed payment waits behind it.
 */
export async function signReserved(parts: PayoutParts, instance: PayoutInstance, wallet: PayoutWallet): Promise<void> {
  let terms: SigningTerms | null = null;
  for (;;) {
    if ((await readLowest(parts.databases.payout, wallet)) === null) return;
    terms ??= (await termsNow(parts.node)).terms;
    if ((await signLowest(parts, instance, wallet, terms)) !== "signed") return;
  }
}

async function readLowest(db: Queryable, wallet: PayoutWallet): Promise<WithdrawalRow | null> {
  const [row] = await db.query<WithdrawalRow>(
    `${WITHDRAWAL_SELECT} JOIN payout_nonces n USING (withdrawal_id)
     WHERE w.stage = 'reserved' AND n.instance_id = $1 AND n.address = $2 ORDER BY n.nonce LIMIT 1`,
    [wallet.instanceId, wallet.address],
  );
  return row ?? null;
}

async function signLowest(
  parts: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
  terms: SigningTerms,
): Promise<Outcome> {
  const { databases, clock, bus } = parts;
  const moved: MovedWithdrawal[] = [];
  const done = await databases.payout.transaction(async (db): Promise<Outcome> => {
    // Only one worker signs or takes back at a time, so that a nonce never moves to another payment while one is being signed.
    await db.query("SELECT 1 FROM payout_wallets WHERE instance_id = $1 AND address = $2 FOR NO KEY UPDATE", [
      wallet.instanceId,
      wallet.address,
    ]);
    const row = await readLowest(db, wallet);
    if (row === null) return "none";
    const mayNot = row.frozen || row.agreed < row.given;
    if (mayNot && (await retract(parts, row))) {
      return giveBack(db, row, false);
    }
    // The payment may be frozen, or an approval may no longer count, and the signer may have signed it before this worker
    // knew. Its bytes may then be known elsewhere, so it continues.
    const refusal = await storeAttempt(parts, row, 1, terms, db);
    if (refusal === null) {
      await db.query("UPDATE withdrawals SET stage = 'signed', stage_at = $2 WHERE withdrawal_id = $1", [
        row.withdrawal_id,
        clock.now(),
      ]);
      return "signed";
    }
    if (PASSING.has(refusal)) return "waits";
    const burnt = refusal === "OTHER_NONCE";
    return (await retract(parts, row)) ? giveBack(db, row, burnt) : stop(db, row);
  });
  crashPoint("payout.signed");
  announceWithdrawals(bus, moved);
  return done;

  async function giveBack(db: Queryable, row: WithdrawalRow, burnt: boolean): Promise<Outcome> {
    const isBack = await takeBack(db, row, burnt, moved);
    // Operators decide again, also about frozen payments behind it: their earlier approvals are used up.
    const asked = await db.query<WithdrawalRow>(
      `${WITHDRAWAL_SELECT} WHERE w.stage = 'review' AND w.withdrawal_id = ANY ($1::bigint[]) ORDER BY w.withdrawal_id`,
      [moved.map(({ withdrawalId }) => withdrawalId)],
    );
    for (const one of asked) moved.push(...(await renew(parts, instance, one, db)));
    return burnt || !isBack ? stop(db, row) : "returned";
  }
  async function stop(db: Queryable, row: WithdrawalRow): Promise<Outcome> {
    const withdrawNo = formatWithdrawNo(row.withdrawal_id);
    const reason = `the nonce of ${withdrawNo} is used by something else that the signer has signed`;
    await stopWallet(parts, wallet, reason, db);
    return "stuck";
  }
}

/** Tells the signer never to sign the payment. Returns false if it has signed it already. */
async function retract(parts: PayoutParts, row: WithdrawalRow): Promise<boolean> {
  const answer = await parts.signer.retract(paymentOf(row));
  crashPoint("payout.retracted");
  return answer.ok;
}

async function takeBack(db: Queryable, row: WithdrawalRow, burnt: boolean, moved: MovedWithdrawal[]): Promise<boolean> {
  const back = await db.query<{ withdrawal_id: bigint; member_id: bigint; stage: "review" | "approved" }>(
    "SELECT * FROM return_nonces($1, $2)",
    [row.withdrawal_id, burnt],
  );
  crashPoint("payout.returned");
  moved.push(
    ...back.map(({ withdrawal_id, member_id, stage }) => ({ memberId: member_id, withdrawalId: withdrawal_id, stage })),
  );
  return back.length > 0;
}

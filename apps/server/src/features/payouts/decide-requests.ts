import { createHash } from "node:crypto";
import { paymentStatement } from "@fairtick/domain";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  announceWithdrawals,
  APPROVAL_MS,
  type MovedWithdrawal,
  paymentOf,
  readWithdrawalTerms,
  type WithdrawalRow,
} from "../withdrawals/index.ts";
import type { PayoutInstance, PayoutParts } from "./payout-parts.ts";
import { readOpen } from "./payout-parts.ts";

/** An approval that expires sooner than this is replaced, since signing and sending take time too. */
const RENEW_BEFORE_MS = 15n * 60_000n;

/**
 * Sends requests back to the operators if their approvals are about to expire, or were made for a test chain that has been
 * wiped since. An approval is never extended: people approve the new expiry.
 */
export async function renewRequests(parts: PayoutParts, instance: PayoutInstance): Promise<void> {
  const { databases, settings, clock } = parts;
  const due = await readOpen(
    databases.payout,
    "w.chain = $1 AND w.stage IN ('requested', 'review', 'approved') AND (w.expires_at < $2 OR w.instance_id <> $3)",
    [settings.chain, clock.now() + RENEW_BEFORE_MS, instance.instanceId],
  );
  for (const row of due) announceWithdrawals(parts.bus, await renew(parts, instance, row));
}

/** Asks for new approvals of the same payment with a later expiry. Returns what changed, to be announced after the commit. */
export async function renew(
  { databases, clock }: PayoutParts,
  instance: PayoutInstance,
  row: WithdrawalRow,
  db: Queryable = databases.payout,
): Promise<MovedWithdrawal[]> {
  const now = clock.now();
  const stage = row.stage === "requested" ? "requested" : "review";
  crashPoint("payout.renewing");
  const renewed = {
    ...row,
    expires_at: now + APPROVAL_MS,
    evm_chain_id: instance.evmChainId,
    genesis_hash: instance.genesis,
    token: instance.token,
  };
  const digest = createHash("sha256")
    .update(paymentStatement(paymentOf(renewed)))
    .digest();
  const moved = await db.query(
    `UPDATE withdrawals SET instance_id = $2, expires_at = $3, digest = $4, payout_waits = NULL, stage = $5, stage_at = CASE WHEN stage = $5 THEN stage_at ELSE $6 END
     WHERE withdrawal_id = $1 AND stage = $7 RETURNING 1`,
    [row.withdrawal_id, instance.instanceId, renewed.expires_at, digest, stage, now, row.stage],
  );
  crashPoint("payout.renewed");
  return moved.length > 0 ? [{ memberId: row.member_id, withdrawalId: row.withdrawal_id, stage }] : [];
}

/**
 * Decides new requests: small ones, which the signer pays by its own rule, are approved automatically; all others wait for
 * operators. Requests that wait for their member, a rest period or a new address are left alone: that ends without an
 * operator. They aren't even read, or enough of them would fill each round and nobody else's would be decided.
 */
export async function decideRequests(parts: PayoutParts, instance: PayoutInstance): Promise<void> {
  const { databases, signer, clock, bus } = parts;
  const requested = await readOpen(
    databases.payout,
    `w.instance_id = $1 AND w.stage = 'requested'
       AND (f.waits_for IS NULL OR f.waits_for NOT IN ('memberFrozen', 'resting', 'newAddress'))`,
    [instance.instanceId],
  );
  const { automaticMax } = await readWithdrawalTerms(databases.payout);
  const moved: MovedWithdrawal[] = [];
  for (const row of requested) {
    const small = row.amount <= automaticMax && !row.frozen;
    const allowed = small && (await signer.authorize(paymentOf(row), [])).ok;
    crashPoint("payout.judged");
    const stage = allowed ? "approved" : "review";
    const done = await databases.payout.query(
      "UPDATE withdrawals SET stage = $2, stage_at = $3 WHERE withdrawal_id = $1 AND stage = 'requested' RETURNING 1",
      [row.withdrawal_id, stage, clock.now()],
    );
    crashPoint("payout.decided");
    if (done.length > 0) moved.push({ memberId: row.member_id, withdrawalId: row.withdrawal_id, stage });
  }
  announceWithdrawals(bus, moved);
}

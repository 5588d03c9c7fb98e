import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { announceWithdrawals, formatWithdrawNo, paymentOf, type WithdrawalRow } from "../withdrawals/index.ts";
import { renew } from "./decide-requests.ts";
import { callPerson, type PayoutInstance, type PayoutMemory, type PayoutParts, readOpen } from "./payout-parts.ts";
import { noteWait } from "./payout-waits.ts";
import type { PayoutWallet } from "./payout-wallet.ts";
import type { Approval, SigningTerms } from "../signer/index.ts";
import { termsNow } from "./signing-terms.ts";

/**
 * Assigns a nonce to each approved payment that the wallet can still afford, oldest first. Reads on past those that have to
 * wait, so that enough of them don't hold up all others.
 */
export async function reserveApproved(
  parts: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
): Promise<void> {
  let approved = await readApproved(parts, instance, 0n);
  if (approved.length === 0) return;
  const purse = await openPurse(parts, instance, wallet);
  while (approved.length > 0) {
    for (const row of approved) await reserveOne(parts, instance, wallet, row, purse);
    approved = await readApproved(parts, instance, approved.at(-1)?.withdrawal_id ?? 0n);
  }
}

/** Reads approved payments that nothing about their member holds up, from behind the withdrawal `after`. */
function readApproved({ databases }: PayoutParts, instance: PayoutInstance, after: bigint) {
  return readOpen(
    databases.payout,
    "w.instance_id = $1 AND w.stage = 'approved' AND w.withdrawal_id > $2 AND f.waits_for IS NULL",
    [instance.instanceId, after],
  );
}

/** What the wallet has left for payments that have no nonce yet. */
interface Purse {
  tokens: bigint;
  coins: bigint;
  /** What one payment may cost at most in the chain's own coin. */
  readonly each: bigint;
}

async function openPurse(
  { databases, node }: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
): Promise<Purse> {
  const [underWay] = await databases.payout.query<{ units: string; count: bigint }>(
    `SELECT coalesce(sum(units), 0) AS units, count(*) AS count FROM withdrawals
     WHERE end_id IS NULL AND instance_id = $1 AND stage IN ('reserved', 'signed', 'broadcast')`,
    [instance.instanceId],
  );
  const each = (await termsNow(node)).coins;
  const tokens = (await node.tokenBalance(instance.token, wallet.address)) - BigInt(underWay?.units ?? 0);
  const coins = (await node.balance(wallet.address)) - (underWay?.count ?? 0n) * each;
  return { tokens, coins, each };
}

async function reserveOne(
  parts: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
  row: WithdrawalRow,
  purse: Purse,
): Promise<void> {
  // A transfer that the wallet can't cover would be mined, cost its fee and pay nothing.
  if (purse.tokens < row.units || purse.coins < purse.each) return noteWait(parts, row, "walletFilling");
  if (!(await mayPay(parts, instance, row))) return;
  if (!(await reserve(parts, wallet, row))) return;
  purse.tokens -= row.units;
  purse.coins -= purse.each;
}

/** Asks the signer before a nonce is assigned. A payment that it refuses goes back to the operators, or waits. */
async function mayPay(parts: PayoutParts, instance: PayoutInstance, row: WithdrawalRow): Promise<boolean> {
  const { databases, signer } = parts;
  const approvals = await databases.payout.query<{ key_id: string; signature: string }>(
    "SELECT key_id, signature FROM approvals_that_count WHERE withdrawal_id = $1 AND digest = $2 ORDER BY at",
    [row.withdrawal_id, row.digest],
  );
  // An operator who approved has left finance or lost their key since, so others are asked again.
  if (approvals.length < Number(row.given)) {
    announceWithdrawals(parts.bus, await renew(parts, instance, row));
    return false;
  }
  const given = approvals.map(({ key_id: keyId, signature }): Approval => ({ keyId, signature }));
  const answer = await signer.authorize(paymentOf(row), given);
  crashPoint("payout.authorized");
  if (answer.ok) return true;
  // The member may have canceled it while the signer was asked. Then its refusal is no news for anybody.
  const still = await databases.payout.query(
    "SELECT 1 FROM withdrawals WHERE withdrawal_id = $1 AND stage = 'approved'",
    [row.withdrawal_id],
  );
  if (still.length === 0) return false;
  // Open the incident first: after the renewal, this payment no longer comes through here.
  const subject = `${formatWithdrawNo(row.withdrawal_id)} ${answer.refusal}`;
  await callPerson(parts, "payout_refused", subject, row.member_id, { detail: answer.detail });
  crashPoint("payout.refused");
  if (answer.refusal === "NEEDS_APPROVALS" || answer.refusal === "EXPIRED") {
    announceWithdrawals(parts.bus, await renew(parts, instance, row));
  } else {
    await noteWait(parts, row, answer.refusal === "DAY_LIMIT" ? "payoutLimit" : "payoutRefused");
  }
  return false;
}

async function reserve(
  { databases, clock, bus }: PayoutParts,
  wallet: PayoutWallet,
  row: WithdrawalRow,
): Promise<boolean> {
  const done = await databases.payout.transaction(async (transaction) => {
    const [found] = await transaction.query<{ stage: string; digest: Buffer }>(
      "SELECT stage, digest FROM withdrawals WHERE withdrawal_id = $1 FOR NO KEY UPDATE",
      [row.withdrawal_id],
    );
    if (found?.stage !== "approved" || !found.digest.equals(row.digest)) return false;
    const [taken] = await transaction.query<{ nonce: bigint }>(
      `UPDATE payout_wallets SET next_nonce = next_nonce + 1 WHERE instance_id = $1 AND address = $2 AND stopped_at IS NULL
       RETURNING next_nonce - 1 AS nonce`,
      [wallet.instanceId, wallet.address],
    );
    if (taken === undefined) return false;
    await transaction.query(
      "INSERT INTO payout_nonces (instance_id, address, nonce, withdrawal_id) VALUES ($1, $2, $3, $4)",
      [wallet.instanceId, wallet.address, taken.nonce, row.withdrawal_id],
    );
    await transaction.query(
      "UPDATE withdrawals SET stage = 'reserved', stage_at = $2, payout_waits = NULL WHERE withdrawal_id = $1",
      [row.withdrawal_id, clock.now()],
    );
    crashPoint("payout.reserving");
    return true;
  });
  crashPoint("payout.reserved");
  if (done) {
    announceWithdrawals(bus, [{ memberId: row.member_id, withdrawalId: row.withdrawal_id, stage: "reserved" }]);
  }
  return done;
}

/**
 * Has the signer sign an attempt and stores its raw transaction and hash. From then on its fate can be looked up, whatever
 * happens to this process. Returns the signer's refusal, or null if it signed.
 */
export async function storeAttempt(
  parts: PayoutParts,
  row: WithdrawalRow,
  attempt: number,
  terms: SigningTerms,
  db: Queryable = parts.databases.payout,
): Promise<string | null> {
  const { signer, clock } = parts;
  const [bound] = await db.query<{ nonce: bigint }>("SELECT nonce FROM payout_nonces WHERE withdrawal_id = $1", [
    row.withdrawal_id,
  ]);
  if (bound === undefined) throw new Error(`${formatWithdrawNo(row.withdrawal_id)} has no nonce`);
  const answer = await signer.sign(paymentOf(row), { nonce: bound.nonce, attempt, ...terms });
  crashPoint("payout.signing");
  if (!answer.ok) {
    if (answer.refusal === "MAY_BE_PAID") {
      // The signer's own nodes lag behind ours or know better. The earlier attempt stays in force until they agree.
      parts.log.warn(
        { withdrawNo: formatWithdrawNo(row.withdrawal_id), why: answer.detail },
        "the signer does not sign another attempt yet",
      );
      return answer.refusal;
    }
    const subject = `${formatWithdrawNo(row.withdrawal_id)} ${answer.refusal}`;
    await callPerson(parts, "payout_refused", subject, row.member_id, { detail: answer.detail }, db);
    return answer.refusal;
  }
  const { raw, hash, maxFee, priorityFee } = answer.value;
  await db.query(
    `INSERT INTO withdrawal_attempts (withdrawal_id, attempt, max_fee, priority_fee, tx_hash, raw, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (withdrawal_id, attempt) DO NOTHING`,
    [row.withdrawal_id, attempt, maxFee, priorityFee, hash, raw, clock.now()],
  );
  crashPoint("payout.stored");
  return null;
}

/** Sends signed payments to the node, lowest nonce first. */
export async function sendSigned(parts: PayoutParts, wallet: PayoutWallet, memory: PayoutMemory): Promise<void> {
  const signed = await parts.databases.payout.query<SentRow>(
    `SELECT w.withdrawal_id, w.member_id, a.raw, a.tx_hash FROM withdrawals w JOIN payout_nonces n USING (withdrawal_id)
       JOIN LATERAL (SELECT raw, tx_hash FROM withdrawal_attempts a WHERE a.withdrawal_id = w.withdrawal_id ORDER BY attempt DESC LIMIT 1) a ON true
     WHERE w.end_id IS NULL AND w.stage = 'signed' AND n.instance_id = $1 AND n.address = $2 ORDER BY n.nonce`,
    [wallet.instanceId, wallet.address],
  );
  for (const row of signed) await handOver(parts, row, memory);
}

export interface SentRow {
  readonly withdrawal_id: bigint;
  readonly member_id: bigint;
  readonly raw: string;
  readonly tx_hash: string;
}

/**
 * Sends a payment, for the first time or again. "Already known", "nonce too low" and a timeout all mean the same: the
 * transaction has to be looked up by its hash.
 */
export async function handOver(parts: PayoutParts, row: SentRow, memory: PayoutMemory): Promise<void> {
  const { node, databases, clock, bus, log } = parts;
  memory.sentAt.set(row.withdrawal_id, clock.elapsedMs());
  try {
    await node.send(row.raw);
  } catch (error) {
    log.info({ err: error, tx: row.tx_hash }, "the node did not take a payment, or already has it");
  }
  crashPoint("payout.sent");
  if (!(await node.knows(row.tx_hash))) return;
  const moved = await databases.payout.query(
    "UPDATE withdrawals SET stage = 'broadcast', stage_at = $2 WHERE withdrawal_id = $1 AND stage = 'signed' RETURNING 1",
    [row.withdrawal_id, clock.now()],
  );
  crashPoint("payout.broadcast");
  if (moved.length === 0) return;
  announceWithdrawals(bus, [{ memberId: row.member_id, withdrawalId: row.withdrawal_id, stage: "broadcast" }]);
}

import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import type { ChainNode, ChainReceipt } from "../chain/index.ts";
import {
  announceWithdrawals,
  formatWithdrawNo,
  type MovedWithdrawal,
  tellOfWithdrawal,
  type WithdrawalRow,
} from "../withdrawals/index.ts";
import { findStranger } from "./find-stranger.ts";
import {
  callPerson,
  finalHeight,
  type PayoutInstance,
  type PayoutMemory,
  type PayoutParts,
  readOpen,
} from "./payout-parts.ts";
import { type PayoutWallet, stopWallet } from "./payout-wallet.ts";
import { type Attempt, findReceipt, overAt, renewExpired, type Sent, sendAgain } from "./send-again.ts";
import { judgeReceipt, moved, type Moved, type Verdict } from "./judge-receipt.ts";

/**
 * The number of rounds in a row in which a node must report a nonce as used before another transaction counts as its
 * user. A lagging node may report the nonce as used before it knows the receipt.
 */
const STRANGE_ROUNDS = 2;
/** After that, how many rounds pass between searches for that transaction. */
const PROOF_ROUNDS = 60;

/**
 * Looks up every attempt of every payment in progress by its hash, lowest nonce first, and records what it finds: paid,
 * failed, still waiting or gone. Runs first after a start and in each round.
 */
export async function reconcile(
  parts: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
  memory: PayoutMemory,
): Promise<void> {
  const sent = await readSent(parts, wallet);
  if (sent.length === 0) return;
  const final = await finalHeight(parts);
  let waiting = false;
  for (const one of sent) {
    const mined = await findReceipt(parts.node, one);
    if (mined !== null) {
      memory.strangers.delete(one.row.withdrawal_id);
      await takeReceipt(parts, instance, wallet, one, mined, final);
      continue;
    }
    if (one.row.mined_height !== null) await noteMined(parts, one.row, null);
    if (parts.node.kind === "tron") {
      if (!wallet.stopped && one.row.stage !== "needs_review") await renewExpired(parts, parts.node, one, memory);
      continue;
    }
    const used = final < 0n ? 0n : await parts.node.nonceAt(wallet.address, final);
    if (used > one.nonce) {
      await takeStranger(parts, wallet, one, memory, final);
    } else if (!wallet.stopped && one.row.stage !== "needs_review") {
      // Only the lowest nonce gets a higher fee: the payments behind it wait for it, not for a better fee of their own.
      await sendAgain(parts, one, memory, !waiting);
      waiting = true;
    }
  }
}

async function readSent({ databases }: PayoutParts, wallet: PayoutWallet): Promise<readonly Sent[]> {
  const rows = await readOpen(
    databases.payout,
    `(w.stage IN ('signed', 'broadcast') OR (w.stage = 'needs_review' AND w.dead_at IS NULL))
       AND w.withdrawal_id IN (SELECT withdrawal_id FROM payout_nonces WHERE instance_id = $1 AND address = $2)`,
    [wallet.instanceId, wallet.address],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ withdrawal_id: id }) => id);
  const nonces = await databases.payout.query<{ withdrawal_id: bigint; nonce: bigint }>(
    "SELECT withdrawal_id, nonce FROM payout_nonces WHERE withdrawal_id = ANY($1::bigint[])",
    [ids],
  );
  const attempts = await databases.payout.query<Attempt & { readonly withdrawal_id: bigint }>(
    "SELECT * FROM withdrawal_attempts WHERE withdrawal_id = ANY($1::bigint[]) ORDER BY attempt DESC",
    [ids],
  );
  const nonceOf = new Map(nonces.map(({ withdrawal_id: id, nonce }) => [id, nonce]));
  return rows
    .map((row) => ({
      row,
      nonce: nonceOf.get(row.withdrawal_id) ?? 0n,
      attempts: attempts.filter(({ withdrawal_id: id }) => id === row.withdrawal_id),
    }))
    .sort((left, right) => (left.nonce < right.nonce ? -1 : 1));
}

async function takeReceipt(
  parts: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
  one: Sent,
  receipt: ChainReceipt,
  final: bigint,
): Promise<void> {
  const block = await parts.node.block(receipt.blockNumber);
  if (block?.hash !== receipt.blockHash) return;
  if (one.row.stage === "signed" || one.row.mined_height !== receipt.blockNumber) {
    await noteMined(parts, one.row, receipt);
  }
  if (receipt.blockNumber > final) return;
  const verdict = judgeReceipt(receipt, one, wallet);
  if (verdict !== "paid" && !(await isOnlyOne(parts, one, receipt))) return;
  if (parts.witness !== null && !(await witnessAgrees(parts.witness, one, wallet, receipt, verdict))) return;
  crashPoint("payout.final");
  if (verdict === "paid") await confirm(parts, one.row, receipt);
  else await fail(parts, instance, one.row, verdict, receipt, moved(receipt, one, wallet));
}

/**
 * Whether no other attempt can pay any more besides the one with this receipt. On EVM chains, the other attempts share its
 * nonce and are dead. On TRON they are dead once the chain's time is past all their expirations.
 */
async function isOnlyOne({ node }: PayoutParts, { attempts }: Sent, receipt: ChainReceipt): Promise<boolean> {
  if (node.kind === "evm") return true;
  const others = attempts.filter(({ tx_hash: hash }) => hash !== receipt.transactionHash);
  return others.length === 0 || (await node.time("solidified")) >= overAt(others);
}

/** Returns whether a node that someone else runs has the same receipt in the same block. */
async function witnessAgrees(
  witness: ChainNode,
  one: Sent,
  wallet: PayoutWallet,
  receipt: ChainReceipt,
  verdict: Verdict,
): Promise<boolean> {
  const theirs = await witness.receipt(receipt.transactionHash);
  if (theirs === null || theirs.blockHash !== receipt.blockHash || judgeReceipt(theirs, one, wallet) !== verdict)
    return false;
  return moved(theirs, one, wallet).arrived === moved(receipt, one, wallet).arrived;
}

/** Stores the block that holds the payment, for the member's screen; null if a reorganization removed it. */
async function noteMined(
  { databases, clock, bus }: PayoutParts,
  row: WithdrawalRow,
  receipt: ChainReceipt | null,
): Promise<void> {
  await databases.payout.query(
    `UPDATE withdrawals SET tx_hash = $2, mined_height = $3, stage = CASE stage WHEN 'signed' THEN 'broadcast' ELSE stage END,
       stage_at = CASE stage WHEN 'signed' THEN $4 ELSE stage_at END
     WHERE withdrawal_id = $1 AND end_id IS NULL AND stage IN ('signed', 'broadcast', 'needs_review')`,
    [row.withdrawal_id, receipt?.transactionHash ?? null, receipt?.blockNumber ?? null, clock.now()],
  );
  crashPoint("payout.mined");
  announceWithdrawals(bus, [movedTo(row, row.stage === "needs_review" ? "needs_review" : "broadcast")]);
}

/** Writes the ledger movement, the stage and the message to the member in one transaction. */
async function confirm({ databases, ids, bus }: PayoutParts, row: WithdrawalRow, receipt: ChainReceipt): Promise<void> {
  const done = await databases.chain.transaction(async (transaction) => {
    const [answer] = await transaction.query<{ done: boolean }>("SELECT confirm_withdrawal($1, $2, $3, $4) AS done", [
      row.withdrawal_id,
      ids.next(),
      receipt.transactionHash,
      receipt.blockNumber,
    ]);
    if (answer?.done !== true) return false;
    const told = { memberId: row.member_id, withdrawalId: row.withdrawal_id, amount: row.amount, fee: row.fee };
    await tellOfWithdrawal(transaction, told, { kind: "paid" });
    crashPoint("payout.confirming");
    return true;
  });
  crashPoint("payout.confirmed");
  if (done) announceWithdrawals(bus, [movedTo(row, "confirmed")]);
}

/**
 * Records a failed payment: a final transaction used its nonce and didn't pay what it should, so no attempt can pay any more.
 * If that transaction still moved some of our tokens to the address (a token that takes a fee), the payment isn't dead:
 * releasing it would pay that part twice. Operators settle it as short instead.
 */
async function fail(
  parts: PayoutParts,
  instance: PayoutInstance,
  row: WithdrawalRow,
  reason: Exclude<Verdict, "paid">,
  receipt: ChainReceipt,
  transfers: Moved,
): Promise<void> {
  const { databases, clock, bus } = parts;
  const isShort = transfers.arrived > 0n && transfers.arrived < row.units;
  const isNew = await databases.payout.transaction(async (db) => {
    const changed = isShort
      ? await noteShort(db, row, receipt, transfers.arrived)
      : await db.query(
          `UPDATE withdrawals SET stage = 'needs_review', reason = $2, stage_at = CASE stage WHEN 'needs_review' THEN stage_at ELSE $3 END,
               dead_at = CASE WHEN $4::boolean THEN NULL ELSE $3::bigint END
             WHERE withdrawal_id = $1 AND end_id IS NULL AND dead_at IS NULL
               AND NOT ($4::boolean AND stage = 'needs_review' AND reason IS NOT DISTINCT FROM $2)
             RETURNING 1`,
          [row.withdrawal_id, reason, clock.now(), transfers.arrived > 0n],
        );
    if (changed.length === 0) return false;
    const why = isShort ? "short" : reason;
    const detail = { reason: why, tx: receipt.transactionHash, genesis: instance.genesis, ...transfers.shown };
    await callPerson(parts, "payout_failed", formatWithdrawNo(row.withdrawal_id), row.member_id, detail, db);
    crashPoint("payout.failing");
    return true;
  });
  crashPoint("payout.failed");
  if (isNew) announceWithdrawals(bus, [movedTo(row, "needs_review")]);
}

function noteShort(db: Queryable, row: WithdrawalRow, receipt: ChainReceipt, arrived: bigint): Promise<object[]> {
  return db.query("SELECT 1 WHERE note_short_payment($1, $2, $3, $4)", [
    row.withdrawal_id,
    receipt.transactionHash,
    receipt.blockNumber,
    String(arrived),
  ]);
}

/**
 * Handles a nonce that was used by none of our attempts: someone else has the key, or the node lies. The wallet stops at
 * once. The payment counts as dead, so that operators may return the held amount, once the other transaction is found.
 */
async function takeStranger(
  parts: PayoutParts,
  wallet: PayoutWallet,
  one: Sent,
  memory: PayoutMemory,
  final: bigint,
): Promise<void> {
  const { row, nonce } = one;
  const rounds = (memory.strangers.get(row.withdrawal_id) ?? 0) + 1;
  memory.strangers.set(row.withdrawal_id, rounds);
  if (rounds < STRANGE_ROUNDS) return;
  const withdrawNo = formatWithdrawNo(row.withdrawal_id);
  if (row.stage !== "needs_review") {
    await stopWallet(parts, wallet, `nonce ${nonce} of ${withdrawNo} was used by no attempt of ours`);
    crashPoint("payout.stopped");
    const moved = await parts.databases.payout.query(
      `UPDATE withdrawals SET stage = 'needs_review', reason = 'nonce_used', stage_at = $2
       WHERE withdrawal_id = $1 AND stage IN ('signed', 'broadcast') RETURNING 1`,
      [row.withdrawal_id, parts.clock.now()],
    );
    crashPoint("payout.strange");
    if (moved.length > 0) announceWithdrawals(parts.bus, [movedTo(row, "needs_review")]);
  }
  // A node that couldn't show it before rarely can a second later, and the search takes many calls.
  if ((rounds - STRANGE_ROUNDS) % PROOF_ROUNDS !== 0) return;
  const use = await findStranger(parts, wallet.address, one, final);
  if (use === null) return;
  crashPoint("payout.dying");
  const dead = await parts.databases.payout.query(
    `UPDATE withdrawals SET dead_at = $2 WHERE withdrawal_id = $1 AND stage = 'needs_review' AND dead_at IS NULL RETURNING 1`,
    [row.withdrawal_id, parts.clock.now()],
  );
  crashPoint("payout.dead");
  if (dead.length === 0) return;
  parts.log.warn(
    { withdrawNo, tx: use.hash, height: String(use.height) },
    "another transaction used a payment's nonce",
  );
  announceWithdrawals(parts.bus, [movedTo(row, "needs_review")]);
}

function movedTo(row: WithdrawalRow, stage: MovedWithdrawal["stage"]): MovedWithdrawal {
  return { memberId: row.member_id, withdrawalId: row.withdrawal_id, stage };
}

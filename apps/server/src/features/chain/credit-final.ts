import {
  formatMoney,
  formatPrefixedId,
  formatUsdt,
  type MicroUsd,
  type Rate,
  tokenCredit,
  tokenDepositMovement,
} from "@fairtick/domain";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayText } from "../../platform/lane.ts";
import { LOCK_MEMBERS, writeTransfer } from "../ledger/index.ts";
import { tellMember } from "../notices/index.ts";
import { readStored, type StoredTransfer, type Touched } from "./chain-rows.ts";
import { freezeWithdrawals, openIncident } from "./incidents.ts";
import type { ChainInstance } from "./instances.ts";
import type { ChainNode } from "./node.ts";
import { parseTransfer } from "./transfer-logs.ts";
import type { WatchParts } from "./watch-parts.ts";

const CREDITS_A_ROUND = 200;

/** How far a round got through the waiting transfers; the next round continues there. */
export interface CreditPlace {
  readonly height: bigint;
  readonly depositId: bigint;
}
export const CREDIT_FROM_START: CreditPlace = { height: -1n, depositId: 0n };

/**
 * Credits final transfers, starting after `after`, and returns where the next round continues. A transfer that can't be
 * verified waits for its next turn, so that it doesn't delay the others.
 */
export async function creditFinal(
  parts: WatchParts,
  instance: ChainInstance,
  finalHeight: bigint,
  after: CreditPlace,
): Promise<{ readonly touched: readonly Touched[]; readonly next: CreditPlace }> {
  const { databases, log } = parts;
  const due = await readStored(
    databases.chain,
    `t.instance_id = $1 AND t.height <= $2 AND d.stage = 'confirming' AND (t.height, d.deposit_id) > ($3, $4)
     ORDER BY t.height, d.deposit_id LIMIT ${CREDITS_A_ROUND}`,
    [instance.instanceId, finalHeight, after.height, after.depositId],
  );
  const touched: Touched[] = [];
  for (const transfer of due) {
    try {
      if (!(await isOnChain(parts.node, transfer))) continue;
      if (parts.witness !== null && !(await witnessAgrees(parts, parts.witness, transfer))) continue;
      crashPoint("chain.verified");
      if (await credit(parts, instance, transfer)) {
        touched.push({ memberId: transfer.memberId, depositId: transfer.depositId });
      }
    } catch (error) {
      log.warn({ err: error, tx: transfer.txHash }, "a final transfer could not be credited yet");
    }
  }
  const next = due.length < CREDITS_A_ROUND ? undefined : due.at(-1);
  return { touched, next: next ?? CREDIT_FROM_START };
}

/**
 * Verifies a transfer with a fresh receipt: its transaction succeeded, in the block that the chain has at that height, with
 * exactly this log.
 */
async function isOnChain(node: ChainNode, transfer: StoredTransfer): Promise<boolean> {
  const [receipt, block] = await Promise.all([node.receipt(transfer.txHash), node.block(transfer.height)]);
  if (receipt === null || block === null) return false;
  const log = parseTransfer(receipt.logs[transfer.logIndex]);
  return (
    receipt.status === 1n &&
    receipt.blockHash === transfer.blockHash &&
    block.hash === transfer.blockHash &&
    log?.token === transfer.token &&
    log.to === transfer.to &&
    log.rawAmount === transfer.rawAmount
  );
}

/** Returns whether the witness node has the transfer in the same block; false while it lags. Another block opens an incident. */
async function witnessAgrees(parts: WatchParts, witness: ChainNode, transfer: StoredTransfer): Promise<boolean> {
  if (await isOnChain(witness, transfer)) return true;
  const block = await witness.block(transfer.height);
  if (block !== null && block.hash !== transfer.blockHash) {
    await openIncident(
      parts.databases.chain,
      {
        kind: "nodes_disagree",
        subject: transfer.txHash,
        memberId: transfer.memberId,
        detail: {
          chain: parts.settings.chain,
          height: String(transfer.height),
          ours: transfer.blockHash,
          theirs: block.hash,
        },
      },
      parts.clock.now(),
    );
  }
  return false;
}

/** Credits a transfer. Locks the deposit, then the member, then the house's rows, as all code here does. */
async function credit(parts: WatchParts, instance: ChainInstance, transfer: StoredTransfer): Promise<boolean> {
  const { databases, settings, clock, ids, bus } = parts;
  const done = await databases.chain.transaction(async (transaction) => {
    const [row] = await transaction.query<{ stage: string; block_hash: string }>(
      `SELECT d.stage, t.block_hash FROM deposits d JOIN chain_transfers t USING (deposit_id)
       WHERE d.deposit_id = $1 FOR NO KEY UPDATE OF d`,
      [transfer.depositId],
    );
    if (row?.stage !== "confirming" || row.block_hash !== transfer.blockHash) return null;
    const now = clock.now();
    if (transfer.rawAmount < settings.minimum) {
      await transaction.query(
        "UPDATE deposits SET stage = 'below_minimum', reason = 'below_minimum', stage_at = $2 WHERE deposit_id = $1",
        [transfer.depositId, now],
      );
      await tellMember(transaction, transfer.memberId, "depositBelowMinimum", {
        amount: formatUsdt(transfer.rawAmount as MicroUsd),
        minimum: formatUsdt(settings.minimum),
        depositNo: depositNoOf(transfer),
      });
      crashPoint("chain.kept");
      return "kept";
    }
    const worth = tokenCredit(transfer.rawAmount, transfer.rate as Rate);
    const idempotencyKey = `deposit:chain:${instance.instanceId}:${transfer.txHash}:${transfer.logIndex}`;
    await transaction.query(LOCK_MEMBERS.text, [arrayText([transfer.memberId])]);
    const transferId = ids.next();
    const written = await writeTransfer(transaction, {
      transferId,
      wallet: "real",
      movement: tokenDepositMovement(worth),
      idempotencyKey,
      remark: "deposit",
      member: { memberId: transfer.memberId },
    });
    crashPoint("chain.booked");
    await finish(
      transaction,
      transfer,
      worth.credited,
      written ? transferId : await bookedId(transaction, idempotencyKey),
      now,
    );
    await tellMember(transaction, transfer.memberId, "depositCredited", {
      amount: formatMoney(worth.credited),
      depositNo: depositNoOf(transfer),
    });
    crashPoint("chain.finished");
    return "credited";
  });
  crashPoint("chain.credited");
  if (done === "credited") bus.publish("accounts", { members: [transfer.memberId] });
  return done !== null;
}

function depositNoOf({ depositId }: StoredTransfer): string {
  return formatPrefixedId("dep", depositId);
}

async function finish(
  transaction: Queryable,
  { depositId }: StoredTransfer,
  amount: MicroUsd,
  transferId: bigint,
  now: bigint,
): Promise<void> {
  await transaction.query(
    "UPDATE deposits SET stage = 'credited', amount = $2, transfer_id = $3, stage_at = $4 WHERE deposit_id = $1",
    [depositId, amount, transferId, now],
  );
}

/**
 * Returns the id of the transfer that the ledger already has under this key. The deposit's state was wrong: it is corrected,
 * and nothing is credited again.
 */
async function bookedId(transaction: Queryable, idempotencyKey: string): Promise<bigint> {
  const [row] = await transaction.query<{ transfer_id: bigint }>(
    "SELECT transfer_id FROM transfers WHERE idempotency_key = $1",
    [idempotencyKey],
  );
  if (row === undefined) throw new Error(`no transfer ${idempotencyKey}`);
  return row.transfer_id;
}

/**
 * Handles deposits that were credited and whose block has disappeared, once the chain is final again to that height.
 * Nothing is taken back, but the member's withdrawals are blocked until a person has looked. Until then `is_frozen`
 * blocks them.
 */
export async function reportLost(parts: WatchParts, instance: ChainInstance, finalHeight: bigint): Promise<void> {
  const { databases, clock, log, node } = parts;
  const lost = await readStored(
    databases.chain,
    `t.instance_id = $1 AND t.lost_at_height <= $2 AND d.stage = 'credited'
       AND NOT EXISTS (SELECT FROM incidents i WHERE i.kind = 'credited_reorg' AND i.subject = d.deposit_id::text
         AND (i.closed_at IS NULL OR i.opened_at >= coalesce(t.lost_at, 0)))`,
    [instance.instanceId, finalHeight],
  );
  for (const transfer of lost) {
    if (await isOnChain(node, transfer)) continue;
    await databases.chain.transaction(async (transaction) => {
      const now = clock.now();
      const detail = { chain: parts.settings.chain, tx: transfer.txHash, height: String(transfer.height) };
      const subject = String(transfer.depositId);
      const incident = { kind: "credited_reorg", subject, memberId: transfer.memberId, detail } as const;
      const incidentId = await openIncident(transaction, incident, now);
      if (incidentId !== null) await freezeWithdrawals(transaction, transfer.memberId, incidentId, now);
      crashPoint("chain.losing");
    });
    crashPoint("chain.lost");
    log.fatal(
      { deposit: String(transfer.depositId), tx: transfer.txHash },
      "a credited deposit vanished from its chain",
    );
  }
}

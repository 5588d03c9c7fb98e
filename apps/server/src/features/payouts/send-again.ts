import { divideUp, TRON_OVER_MS } from "@fairtick/domain";
import { crashPoint } from "../../platform/crash-point.ts";
import type { ChainNode, ChainReceipt } from "../chain/index.ts";
import type { TronPayoutNode } from "./payout-node.ts";
import type { PayoutMemory, PayoutParts } from "./payout-parts.ts";
import { handOver, storeAttempt } from "./send-payments.ts";
import { termsNow } from "./signing-terms.ts";
import { expirationOf } from "./tron-wallet.ts";
import type { WithdrawalRow } from "../withdrawals/index.ts";

/**
 * How long to wait before a transaction that no block contains is sent again, and before it is sent with a higher fee.
 */
const SEND_AGAIN_MS = 10_000;
export const BUMP_MS = 3n * 60_000n;
export interface Attempt {
  readonly attempt: number;
  readonly tx_hash: string;
  readonly raw: string;
  readonly max_fee: string;
  readonly priority_fee: string;
  readonly made_at: bigint;
}

/** A payment in progress. */
export interface Sent {
  readonly row: WithdrawalRow;
  readonly nonce: bigint;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
}

/**
 * Finds the receipt of whichever attempt was mined. At most one ever is: on EVM chains they share a nonce, on TRON each
 * expires before the next one is signed.
 */
export async function findReceipt(node: ChainNode, { attempts }: Sent): Promise<ChainReceipt | null> {
  for (const { tx_hash: txHash } of attempts) {
    const receipt = await node.receipt(txHash);
    if (receipt !== null) return receipt;
  }
  return null;
}

/**
 * Sends the same payment once more: unchanged, or with both fees an eighth higher if it has waited too long. The fee rises
 * even if no node has taken the payment yet, since a pool may refuse it for its fee.
 */
export async function sendAgain(
  parts: PayoutParts,
  { row, attempts }: Sent,
  memory: PayoutMemory,
  mayBump: boolean,
): Promise<void> {
  const { clock, node } = parts;
  const [newest] = attempts;
  if (newest === undefined) return;
  if (mayBump && node.kind === "evm" && clock.now() - newest.made_at >= BUMP_MS) {
    const now = await node.gasPrice();
    const dearer = (then: string, suggested: bigint) => {
      const bumped = divideUp(BigInt(then) * 1125n, 1000n);
      return suggested > bumped ? suggested : bumped;
    };
    const price = {
      maxFee: dearer(newest.max_fee, now.maxFee),
      priorityFee: dearer(newest.priority_fee, now.priorityFee),
    };
    if ((await storeAttempt(parts, row, newest.attempt + 1, price)) === null) memory.sentAt.delete(row.withdrawal_id);
  }
  const last = memory.sentAt.get(row.withdrawal_id);
  if (last !== undefined && clock.elapsedMs() - last < SEND_AGAIN_MS) return;
  const [again] = await parts.databases.payout.query<Attempt>(
    "SELECT * FROM withdrawal_attempts WHERE withdrawal_id = $1 ORDER BY attempt DESC LIMIT 1",
    [row.withdrawal_id],
  );
  if (again !== undefined) {
    const { withdrawal_id, member_id } = row;
    await handOver(parts, { withdrawal_id, member_id, raw: again.raw, tx_hash: again.tx_hash }, memory);
  }
}

/**
 * Renews a TRON transaction that no block contains. Until its expiration it is sent again. Afterwards another one is signed
 * for the same payment, but only once a solidified block is past the expiration of every earlier attempt and one more search
 * after that found none of them: no later block can contain them. The signer checks the same with nodes of its own.
 */
export async function renewExpired(
  parts: PayoutParts,
  node: TronPayoutNode,
  one: Sent,
  memory: PayoutMemory,
): Promise<void> {
  if ((await node.time("solidified")) < overAt(one.attempts)) {
    if (expirationOf(one.attempts[0]?.raw ?? "") > (await node.time("latest")))
      await sendAgain(parts, one, memory, false);
    return;
  }
  if ((await findReceipt(node, one)) !== null) return;
  crashPoint("payout.expired");
  const { terms } = await termsNow(node);
  const attempt = (one.attempts[0]?.attempt ?? 0) + 1;
  if ((await storeAttempt(parts, one.row, attempt, terms)) !== null) return;
  memory.sentAt.delete(one.row.withdrawal_id);
  await sendAgain(parts, one, memory, false);
}

/** Returns the time of a solidified block, in milliseconds, after which no block can contain any of the attempts. */
export function overAt(attempts: readonly Attempt[]): bigint {
  const last = attempts.reduce((latest, { raw }) => {
    const expiration = expirationOf(raw);
    return expiration > latest ? expiration : latest;
  }, 0n);
  return last + TRON_OVER_MS;
}

import { divideUp, formatPrefixedId } from "@fairtick/domain";
import { crashPoint } from "../../platform/crash-point.ts";
import type { ChainReceipt } from "../chain/index.ts";
import {
  callPerson,
  type EvmPayoutNode,
  type GasPrice,
  type PayoutInstance,
  type PayoutParts,
} from "../payouts/index.ts";

const BUMP_MS = 3n * 60_000n;
const SEND_AGAIN_MS = 10_000;

export type Step = "gas" | "collect";

export interface SweepRow {
  readonly sweep_id: bigint;
  readonly address: string;
  readonly child: number;
  readonly units: bigint;
  readonly stage: "planned" | Step;
  readonly stage_at: bigint;
}

export interface Sweeping {
  readonly parts: PayoutParts;
  readonly node: EvmPayoutNode;
  readonly instance: PayoutInstance;
  readonly wallets: { readonly gas: string; readonly paying: string };
  readonly price: GasPrice;
  readonly final: bigint;
  /** Whether the paying wallet is stopped. Then nothing more is swept into it, and sent attempts are only looked up. */
  readonly stopped: boolean;
  readonly sentAt: Map<string, number>;
}

interface Attempt {
  readonly attempt: number;
  readonly raw: string;
  readonly tx_hash: string;
  /** The fee in decimal digits. */
  readonly max_fee: string;
  readonly priority_fee: string;
  readonly made_at: bigint;
}

/**
 * Signs, stores, sends and looks up one step. Returns its receipt once it is final, null until then. `most` is the
 * highest price per unit of gas that the sender can pay: nodes take no attempt above it, so none is made.
 */
export async function carry(sweeping: Sweeping, row: SweepRow, step: Step, most: bigint): Promise<ChainReceipt | null> {
  const { parts, node, final } = sweeping;
  const { databases, clock } = parts;
  const read = () =>
    databases.payout.query<Attempt>(
      `SELECT attempt, raw, tx_hash, max_fee::text AS max_fee, priority_fee::text AS priority_fee, made_at
       FROM sweep_attempts WHERE sweep_id = $1 AND step = $2 ORDER BY attempt DESC`,
      [row.sweep_id, step],
    );
  let attempts = await read();
  for (const { tx_hash: txHash } of attempts) {
    const receipt = await node.receipt(txHash);
    if (receipt === null) continue;
    const block = await node.block(receipt.blockNumber);
    if (block?.hash !== receipt.blockHash || receipt.blockNumber > final) return null;
    const theirs = parts.witness === null ? receipt : await parts.witness.receipt(txHash);
    return theirs?.blockHash === receipt.blockHash ? receipt : null;
  }
  if (sweeping.stopped) return null;
  const [last] = attempts;
  if (last === undefined || clock.now() - last.made_at > BUMP_MS) {
    const fees = nextFees(sweeping.price, last, most);
    if (fees !== null && (await storeAttempt(sweeping, row, step, last, fees))) attempts = await read();
  }
  await handOver(sweeping, attempts);
  crashPoint(`sweep.${step}.sent`);
  return null;
}

/**
 * Prices the next attempt: the usual price now, at least an eighth above the last one. Null if that is more than the
 * sender can pay.
 */
function nextFees(price: GasPrice, last: Attempt | undefined, most: bigint): GasPrice | null {
  const bumped = (then: string | undefined) => (then === undefined ? 0n : divideUp(BigInt(then) * 1125n, 1000n));
  const least = { maxFee: bumped(last?.max_fee), priorityFee: bumped(last?.priority_fee) };
  const maxFee = smaller(larger(price.maxFee, least.maxFee), most);
  const priorityFee = smaller(larger(price.priorityFee, least.priorityFee), maxFee);
  return maxFee < least.maxFee || priorityFee < least.priorityFee || maxFee <= 0n ? null : { maxFee, priorityFee };
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * Hands the highest-paying attempt to the node, or the next lower one if the node refuses it. All attempts have the
 * same nonce, so any of them does it. The node's pool may have forgotten all of them.
 */
async function handOver({ parts, node, sentAt }: Sweeping, attempts: readonly Attempt[]): Promise<void> {
  const { clock, log } = parts;
  const [newest] = attempts;
  if (newest === undefined) return;
  const before = sentAt.get(newest.tx_hash);
  if (before !== undefined && clock.elapsedMs() - before < SEND_AGAIN_MS) return;
  sentAt.set(newest.tx_hash, clock.elapsedMs());
  for (const { raw, tx_hash: txHash } of attempts) {
    try {
      await node.send(raw);
      return;
    } catch (error) {
      log.info({ err: error, tx: txHash }, "the node did not take a sweep, or has it already");
    }
    if (await node.knows(txHash)) return;
  }
}

async function storeAttempt(
  { parts, instance }: Sweeping,
  row: SweepRow,
  step: Step,
  last: Attempt | undefined,
  fees: GasPrice,
): Promise<boolean> {
  const { databases, signer, clock } = parts;
  const [bound] = await databases.payout.query<{ nonce: bigint; amount: string }>(
    "SELECT nonce, amount::text AS amount FROM sweep_steps WHERE sweep_id = $1 AND step = $2",
    [row.sweep_id, step],
  );
  if (bound === undefined) throw new Error("a step of a sweep has no nonce");
  const answer = await signer.sweep({
    id: formatPrefixedId("swp", row.sweep_id),
    chain: instance.evmChainId,
    genesis: instance.genesis,
    token: instance.token,
    step,
    child: row.child,
    amount: BigInt(bound.amount),
    nonce: bound.nonce,
    attempt: (last?.attempt ?? 0) + 1,
    ...fees,
  });
  crashPoint(`sweep.${step}.signed`);
  if (!answer.ok) {
    const subject = `${formatPrefixedId("swp", row.sweep_id)} ${answer.refusal}`;
    await callPerson(parts, "sweep_refused", subject, null, { detail: answer.detail });
    crashPoint("sweep.refused");
    return false;
  }
  const { raw, hash, maxFee, priorityFee } = answer.value;
  await databases.payout.query(
    `INSERT INTO sweep_attempts (sweep_id, step, attempt, max_fee, priority_fee, tx_hash, raw, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (sweep_id, step, attempt) DO NOTHING`,
    [row.sweep_id, step, (last?.attempt ?? 0) + 1, maxFee, priorityFee, hash, raw, clock.now()],
  );
  crashPoint(`sweep.${step}.stored`);
  return true;
}

import { divideUp, formatPrefixedId } from "@fairtick/domain";
import { crashPoint } from "../../platform/crash-point.ts";
import { type ChainReceipt, parseTransfer } from "../chain/index.ts";
import { planSweeps } from "./plan-sweeps.ts";
import type { EvmPayoutNode, GasPrice } from "./payout-node.ts";
import {
  callPerson,
  finalHeight,
  findPayoutInstance,
  newPayoutMemory,
  type PayoutInstance,
  type PayoutParts,
} from "./payout-parts.ts";

/** What the signer gives a transfer of tokens at most, and a transfer of coins. */
const TOKEN_GAS = 120_000n;
/** Room for a second attempt at a higher price, or a base fee that rises meanwhile. */
const GAS_ROOM = 2n;
const BUMP_MS = 3n * 60_000n;
const SEND_AGAIN_MS = 10_000;

type Step = "gas" | "collect";

interface SweepRow {
  readonly sweep_id: bigint;
  readonly address: string;
  readonly child: number;
  readonly units: bigint;
  readonly stage: "planned" | Step;
}

interface Attempt {
  readonly attempt: number;
  readonly raw: string;
  readonly tx_hash: string;
  /** Digits. */
  readonly max_fee: string;
  readonly priority_fee: string;
  readonly made_at: bigint;
}

interface Sweeping {
  readonly parts: PayoutParts;
  readonly node: EvmPayoutNode;
  readonly instance: PayoutInstance;
  readonly wallets: { readonly gas: string; readonly paying: string };
  readonly price: GasPrice;
  readonly final: bigint;
  /** The paying wallet is: nothing more is brought into it, what is under way is looked up. */
  readonly stopped: boolean;
  readonly sentAt: Map<string, number>;
}

/**
 * One round of bringing credited deposits into the paying wallet. As payouts are: each step goes on from the tables alone,
 * what is signed is stored and committed before it is sent, one nonce a step for good, and the books follow a final receipt.
 */
export async function sweepRound(parts: PayoutParts, memory = newPayoutMemory()): Promise<void> {
  const { node, settings, databases, signer, clock } = parts;
  if (settings.sweepAbove === null || node.kind !== "evm") return;
  const instance = await findPayoutInstance(parts, memory);
  if (instance === null) return;
  await databases.payout.query(
    `UPDATE sweeps SET stage = 'failed', reason = 'chain_anew', stage_at = $2 WHERE stage NOT IN ('done', 'failed')
       AND instance_id IN (SELECT instance_id FROM chain_instances WHERE chain = $1 AND ended_at IS NOT NULL)`,
    [settings.chain, clock.now()],
  );
  const { address: paying, gasAddress: gas } = await signer.state();
  const halted = await databases.payout.query(
    "SELECT 1 FROM payout_wallets WHERE instance_id = $1 AND address = $2 AND stopped_at IS NOT NULL",
    [instance.instanceId, paying],
  );
  const stopped = halted.length > 0;
  if (!stopped) await planSweeps(parts, instance, settings.sweepAbove);
  const open = await databases.payout.query<Omit<SweepRow, "units"> & { readonly units: string }>(
    `SELECT sweep_id, address, child, units::text AS units, stage FROM sweeps WHERE instance_id = $1 AND stage NOT IN ('done', 'failed') ORDER BY sweep_id`,
    [instance.instanceId],
  );
  if (open.length > 0) {
    const [price, final] = await Promise.all([node.gasPrice(), finalHeight(parts)]);
    const wallets = { gas, paying };
    const sweeping = { parts, node, instance, wallets, price, final, stopped, sentAt: memory.sweepSentAt };
    for (const row of open) await goOn(sweeping, Object.assign(row, { units: BigInt(row.units) }));
  }
  const coins = await node.balance(gas);
  await openWallet(parts, instance, gas, node);
  await databases.payout.query(
    "UPDATE sweep_wallets SET coin_balance = $3, seen_at = $4 WHERE instance_id = $1 AND address = $2",
    [instance.instanceId, gas, coins, clock.now()],
  );
}

async function goOn(sweeping: Sweeping, row: SweepRow): Promise<void> {
  const { parts, node, price } = sweeping;
  if (row.stage === "planned") {
    if (sweeping.stopped) return;
    const coins = await node.balance(row.address);
    const needed = TOKEN_GAS * price.maxFee;
    const begun = await parts.databases.payout.query("SELECT 1 FROM sweep_steps WHERE sweep_id = $1 AND step = 'gas'", [
      row.sweep_id,
    ]);
    // A nonce that was given is used, or everything behind it would wait for ever.
    const enough = coins >= needed && begun.length === 0;
    if (!enough) {
      // Coins for the gas wallet are funded by the house; without them a sweep waits and loses nothing.
      const missing = needed * GAS_ROOM - coins;
      if (begun.length === 0 && (await node.balance(sweeping.wallets.gas)) < missing + 21_000n * price.maxFee) return;
      if (begun.length === 0) await reserve(sweeping, row, "gas", missing);
    }
    await move(parts, row, enough ? "collect" : "gas");
    crashPoint("sweep.begun");
    return;
  }
  if (row.stage === "gas") {
    const receipt = await carry(sweeping, row, "gas", price);
    if (receipt === null) return;
    if (receipt.status !== 1n) return fail(parts, row, sweeping.instance, "the coins for gas were not taken");
    crashPoint("sweep.gas.final");
    await move(parts, row, "collect");
    crashPoint("sweep.gas.done");
    return;
  }
  await reserve(sweeping, row, "collect", row.units);
  const coins = await node.balance(row.address);
  const affordable = coins / TOKEN_GAS;
  const maxFee = price.maxFee < affordable ? price.maxFee : affordable;
  const fees = { maxFee, priorityFee: price.priorityFee < maxFee ? price.priorityFee : maxFee };
  const receipt = await carry(sweeping, row, "collect", fees);
  if (receipt === null) return;
  const brought = receipt.logs.some((log) => {
    const transfer = parseTransfer(log);
    return (
      transfer?.token === sweeping.instance.token &&
      transfer.from === row.address &&
      transfer.to === sweeping.wallets.paying &&
      transfer.rawAmount === row.units
    );
  });
  if (receipt.status !== 1n || !brought) return fail(parts, row, sweeping.instance, "the tokens did not move");
  crashPoint("sweep.final");
  await parts.databases.chain.query("SELECT finish_sweep($1, $2, $3)", [
    row.sweep_id,
    parts.ids.next(),
    receipt.transactionHash,
  ]);
  crashPoint("sweep.done");
}

async function move({ databases, clock }: PayoutParts, row: SweepRow, to: Step): Promise<void> {
  await databases.payout.query("UPDATE sweeps SET stage = $2, stage_at = $3 WHERE sweep_id = $1 AND stage = $4", [
    row.sweep_id,
    to,
    clock.now(),
    row.stage,
  ]);
}

/** Nothing of this address is moved any more until a person has closed what is opened here. */
async function fail(parts: PayoutParts, row: SweepRow, instance: PayoutInstance, reason: string): Promise<void> {
  await callPerson(parts, "sweep_failed", `${instance.instanceId} ${row.address}`, null, { reason });
  crashPoint("sweep.failing");
  await parts.databases.payout.query(
    "UPDATE sweeps SET stage = 'failed', reason = $2, stage_at = $3 WHERE sweep_id = $1 AND stage = $4",
    [row.sweep_id, reason, parts.clock.now(), row.stage],
  );
  crashPoint("sweep.failed");
}

async function openWallet(
  { databases }: PayoutParts,
  instance: PayoutInstance,
  address: string,
  node: EvmPayoutNode,
): Promise<void> {
  const known = await databases.payout.query("SELECT 1 FROM sweep_wallets WHERE instance_id = $1 AND address = $2", [
    instance.instanceId,
    address,
  ]);
  if (known.length > 0) return;
  await databases.payout.query(
    "INSERT INTO sweep_wallets (instance_id, address, next_nonce) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [instance.instanceId, address, await node.nonceAt(address, "latest")],
  );
}

/** Gives a step its nonce and its amount, once for good. */
async function reserve(
  { parts, node, instance, wallets }: Sweeping,
  row: SweepRow,
  step: Step,
  amount: bigint,
): Promise<void> {
  const signs = step === "gas" ? wallets.gas : row.address;
  await openWallet(parts, instance, signs, node);
  await parts.databases.payout.transaction(async (db) => {
    const [wallet] = await db.query<{ next_nonce: bigint }>(
      "SELECT next_nonce FROM sweep_wallets WHERE instance_id = $1 AND address = $2 FOR NO KEY UPDATE",
      [instance.instanceId, signs],
    );
    if (wallet === undefined) throw new Error("a wallet that was just opened is not there");
    const fresh = await db.query(
      `INSERT INTO sweep_steps (sweep_id, step, instance_id, address, nonce, amount) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (sweep_id, step) DO NOTHING RETURNING 1`,
      [row.sweep_id, step, instance.instanceId, signs, wallet.next_nonce, amount],
    );
    if (fresh.length === 0) return;
    await db.query("UPDATE sweep_wallets SET next_nonce = next_nonce + 1 WHERE instance_id = $1 AND address = $2", [
      instance.instanceId,
      signs,
    ]);
  });
  crashPoint(`sweep.${step}.reserved`);
}

/** Signs, stores, sends and looks up: the step's receipt once it is final; null while it is not. */
async function carry(sweeping: Sweeping, row: SweepRow, step: Step, fees: GasPrice): Promise<ChainReceipt | null> {
  const { parts, node, final } = sweeping;
  const { databases, clock, log } = parts;
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
    if (!(await storeAttempt(sweeping, row, step, last, fees))) return null;
    attempts = await read();
  }
  const [newest] = attempts;
  if (newest === undefined) return null;
  const sentAt = sweeping.sentAt.get(newest.tx_hash);
  if (sentAt !== undefined && clock.elapsedMs() - sentAt < SEND_AGAIN_MS) return null;
  sweeping.sentAt.set(newest.tx_hash, clock.elapsedMs());
  try {
    await node.send(newest.raw);
  } catch (error) {
    log.info({ err: error, tx: newest.tx_hash }, "the node did not take a sweep, or has it already");
  }
  crashPoint(`sweep.${step}.sent`);
  return null;
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
  const atLeast = (now: bigint, then: string | undefined) => {
    const bumped = then === undefined ? 0n : divideUp(BigInt(then) * 1125n, 1000n);
    return now > bumped ? now : bumped;
  };
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
    maxFee: atLeast(fees.maxFee, last?.max_fee),
    priorityFee: atLeast(fees.priorityFee, last?.priority_fee),
  });
  crashPoint(`sweep.${step}.signed`);
  if (!answer.ok) {
    const subject = `${formatPrefixedId("swp", row.sweep_id)} ${answer.refusal}`;
    await callPerson(parts, "sweep_refused", subject, null, { detail: answer.detail });
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

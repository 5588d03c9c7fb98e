import { formatCoins } from "../../platform/chain-text.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { parseTransfer } from "../chain/index.ts";
import { planSweeps } from "./plan-sweeps.ts";
import {
  callPerson,
  type EvmPayoutNode,
  finalHeight,
  findPayoutInstance,
  newPayoutMemory,
  type PayoutInstance,
  type PayoutParts,
} from "../payouts/index.ts";
import { carry, type Step, type Sweeping, type SweepRow } from "./sweep-attempts.ts";

/** The most gas that the signer allows for a token transfer, and for a coin transfer. */
const TOKEN_GAS = 120_000n;
/** Leaves room for a second attempt at a higher price, or for a rising base fee. */
const GAS_ROOM = 2n;
const COIN_GAS = 21_000n;
/** How often addresses are checked for something to sweep. */
const PLAN_MS = 10_000;
/** A step that takes longer than this opens an incident. */
const SLOW_MS = 30n * 60_000n;

/**
 * Runs one round of sweeping credited deposits into the paying wallet. It works like payouts: each step starts from the
 * tables alone, whatever is signed is stored and committed before it is sent, a step keeps its nonce for good, and the
 * books follow a final receipt.
 */
export async function sweepRound(parts: PayoutParts, memory = newPayoutMemory()): Promise<void> {
  const { node, settings, databases, signer, clock } = parts;
  if (settings.sweepAbove === null || node.kind !== "evm") return;
  const instance = await findPayoutInstance(parts, memory);
  if (instance === null) return;
  crashPoint("sweep.stranding");
  await databases.payout.query(
    `UPDATE sweeps SET stage = 'failed', reason = 'chain_anew', stage_at = $2 WHERE stage NOT IN ('done', 'failed')
       AND instance_id IN (SELECT instance_id FROM chain_instances WHERE chain = $1 AND ended_at IS NOT NULL)`,
    [settings.chain, clock.now()],
  );
  crashPoint("sweep.stranded");
  const { address: paying, gasAddress: gas } = await signer.state();
  const halted = await databases.payout.query(
    "SELECT 1 FROM payout_wallets WHERE instance_id = $1 AND address = $2 AND stopped_at IS NOT NULL",
    [instance.instanceId, paying],
  );
  const stopped = halted.length > 0;
  if (!stopped && clock.elapsedMs() - memory.sweepsPlannedAt >= PLAN_MS) {
    await planSweeps(parts, instance, settings.sweepAbove);
    memory.sweepsPlannedAt = clock.elapsedMs();
  }
  const open = await databases.payout.query<Omit<SweepRow, "units"> & { readonly units: string }>(
    `SELECT sweep_id, address, child, units::text AS units, stage, stage_at FROM sweeps WHERE instance_id = $1 AND stage NOT IN ('done', 'failed') ORDER BY sweep_id`,
    [instance.instanceId],
  );
  if (open.length > 0) {
    const [price, final] = await Promise.all([node.gasPrice(), finalHeight(parts)]);
    const wallets = { gas, paying };
    const sweeping = { parts, node, instance, wallets, price, final, stopped, sentAt: memory.sweepSentAt };
    for (const text of open) {
      const row: SweepRow = { ...text, units: BigInt(text.units) };
      await goOn(sweeping, row);
      await tellSlow(sweeping, row, memory.sweepsTold);
    }
  }
  const coins = await node.balance(gas);
  await openWallet(parts, instance, gas, node);
  await databases.payout.query(
    "UPDATE sweep_wallets SET coin_balance = $3, seen_at = $4 WHERE instance_id = $1 AND address = $2",
    [instance.instanceId, gas, coins, clock.now()],
  );
  crashPoint("sweep.noted");
}

async function goOn(sweeping: Sweeping, row: SweepRow): Promise<void> {
  const { parts, node, price, wallets } = sweeping;
  if (row.stage === "planned") {
    if (sweeping.stopped) return;
    const coins = await node.balance(row.address);
    const needed = TOKEN_GAS * price.maxFee;
    const begun = await parts.databases.payout.query("SELECT 1 FROM sweep_steps WHERE sweep_id = $1 AND step = 'gas'", [
      row.sweep_id,
    ]);
    // A nonce that was assigned has to be used. Otherwise everything behind it would wait forever.
    const enough = coins >= needed && begun.length === 0;
    if (!enough) {
      // The house fills the gas wallet. Without coins a sweep waits; nothing is lost.
      const missing = needed * GAS_ROOM - coins;
      if (begun.length === 0 && (await node.balance(wallets.gas)) < missing + COIN_GAS * price.maxFee) return;
      if (begun.length === 0) await reserve(sweeping, row, "gas", missing);
    }
    await move(parts, row, enough ? "collect" : "gas");
    crashPoint("sweep.begun");
    return;
  }
  if (row.stage === "gas") {
    const given = await amountOf(parts, row, "gas");
    const receipt = await carry(sweeping, row, "gas", ((await node.balance(wallets.gas)) - given) / COIN_GAS);
    if (receipt === null) return;
    if (receipt.status !== 1n) return fail(parts, row, sweeping.instance, "the coins for gas were not taken");
    crashPoint("sweep.gas.final");
    await move(parts, row, "collect");
    crashPoint("sweep.gas.done");
    return;
  }
  await reserve(sweeping, row, "collect", row.units);
  const receipt = await carry(sweeping, row, "collect", (await node.balance(row.address)) / TOKEN_GAS);
  if (receipt === null) return;
  const brought = receipt.logs.some((log) => {
    const transfer = parseTransfer(log);
    return (
      transfer?.token === sweeping.instance.token &&
      transfer.from === row.address &&
      transfer.to === wallets.paying &&
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

async function amountOf({ databases }: PayoutParts, row: SweepRow, step: Step): Promise<bigint> {
  const [found] = await databases.payout.query<{ amount: string }>(
    "SELECT amount::text AS amount FROM sweep_steps WHERE sweep_id = $1 AND step = $2",
    [row.sweep_id, step],
  );
  return BigInt(found?.amount ?? 0);
}

/**
 * Opens an incident, once for each step and process. The trouble ends when someone sends coins to the address or fills
 * the gas wallet. Nothing is lost until then.
 */
async function tellSlow(sweeping: Sweeping, row: SweepRow, told: Set<string>): Promise<void> {
  const { parts, node, instance, wallets, price, stopped } = sweeping;
  const subject = `${instance.instanceId} ${row.address} ${row.stage}`;
  if (stopped || parts.clock.now() - row.stage_at < SLOW_MS || told.has(subject)) return;
  const still = await parts.databases.payout.query("SELECT 1 FROM sweeps WHERE sweep_id = $1 AND stage = $2", [
    row.sweep_id,
    row.stage,
  ]);
  if (still.length === 0) return;
  const detail = {
    lies: formatCoins("evm", await node.balance(row.address)),
    needed: formatCoins("evm", TOKEN_GAS * price.maxFee),
    gasWallet: `${wallets.gas} ${formatCoins("evm", await node.balance(wallets.gas))}`,
  };
  await callPerson(parts, "sweep_slow", subject, null, detail);
  told.add(subject);
}

async function move({ databases, clock }: PayoutParts, row: SweepRow, to: Step): Promise<void> {
  await databases.payout.query("UPDATE sweeps SET stage = $2, stage_at = $3 WHERE sweep_id = $1 AND stage = $4", [
    row.sweep_id,
    to,
    clock.now(),
    row.stage,
  ]);
}

/** Records a failed sweep and opens an incident. Nothing at this address is moved until an operator has closed it. */
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
  crashPoint("sweep.opened");
}

/** Assigns a step its nonce and its amount, once and for good. */
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
    if (wallet === undefined) throw new Error("the wallet was not found after it was opened");
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

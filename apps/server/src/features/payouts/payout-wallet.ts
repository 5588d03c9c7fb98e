import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { announceWithdrawals } from "../withdrawals/index.ts";
import { type PayoutInstance, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";

export interface PayoutWallet {
  readonly instanceId: number;
  readonly address: string;
  readonly stopped: boolean;
}

const BALANCES_MS = 15_000;

/**
 * Opens the signer's wallet on this chain instance. The first time, its next nonce comes from the chain. From then on, only
 * our own row counts it.
 */
export async function openWallet(parts: PayoutParts, instance: PayoutInstance): Promise<PayoutWallet> {
  const { databases, signer, node, clock } = parts;
  const state = await signer.state();
  const address = node.kind === "tron" ? state.tronAddress : state.address;
  const read = () =>
    databases.payout.query<{ stopped_at: bigint | null }>(
      "SELECT stopped_at FROM payout_wallets WHERE instance_id = $1 AND address = $2",
      [instance.instanceId, address],
    );
  let [row] = await read();
  if (row === undefined) {
    // TRON transactions have no nonce. There the number only orders our payments.
    const first = node.kind === "tron" ? 0n : await node.nonceAt(address, "latest");
    crashPoint("payout.opening");
    await databases.payout.query(
      "INSERT INTO payout_wallets (instance_id, address, next_nonce, made_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [instance.instanceId, address, first, clock.now()],
    );
    crashPoint("payout.opened");
    [row] = await read();
  }
  return { instanceId: instance.instanceId, address, stopped: (row?.stopped_at ?? null) !== null };
}

/** Stops a wallet: nothing is sent from it until operators have cleared every reason, including any that is added later. */
export async function stopWallet(
  { databases, settings, clock, log }: PayoutParts,
  wallet: PayoutWallet,
  reason: string,
  db: Queryable = databases.payout,
): Promise<void> {
  const [row] = await db.query<{ fresh: boolean }>("SELECT stop_payout_wallet($1, $2, $3, $4, $5) AS fresh", [
    wallet.instanceId,
    wallet.address,
    settings.chain,
    reason,
    clock.now(),
  ]);
  if (row?.fresh === true)
    log.fatal({ chain: settings.chain, wallet: wallet.address, reason }, "a paying wallet is stopped");
}

/** Hands payments to operators that can't be made any more because their test chain was wiped. */
export async function strandEnded({ databases, settings, clock, bus }: PayoutParts): Promise<void> {
  crashPoint("payout.stranding");
  const stranded = await databases.payout.query<{ member_id: bigint; withdrawal_id: bigint }>(
    `UPDATE withdrawals SET stage = 'needs_review', reason = 'chain_anew', stage_at = $2, dead_at = $2
     WHERE end_id IS NULL AND stage IN ('reserved', 'signed', 'broadcast') AND chain = $1
       AND instance_id IN (SELECT instance_id FROM chain_instances WHERE chain = $1 AND ended_at IS NOT NULL)
     RETURNING member_id, withdrawal_id`,
    [settings.chain, clock.now()],
  );
  crashPoint("payout.stranded");
  announceWithdrawals(
    bus,
    stranded.map((row) => ({ memberId: row.member_id, withdrawalId: row.withdrawal_id, stage: "needs_review" })),
  );
}

/** Stores the wallet's balances for the console and the alarms. */
export async function noteBalances(
  parts: PayoutParts,
  instance: PayoutInstance,
  wallet: PayoutWallet,
  memory: PayoutMemory,
): Promise<void> {
  const { node, databases, clock } = parts;
  const elapsed = clock.elapsedMs();
  if (elapsed - memory.balancesAt < BALANCES_MS) return;
  memory.balancesAt = elapsed;
  const [tokens, coins] = await Promise.all([
    node.tokenBalance(instance.token, wallet.address),
    node.balance(wallet.address),
  ]);
  crashPoint("payout.noting");
  await databases.payout.query(
    "UPDATE payout_wallets SET token_balance = $3, coin_balance = $4, seen_at = $5 WHERE instance_id = $1 AND address = $2",
    [wallet.instanceId, wallet.address, tokens, coins, clock.now()],
  );
  crashPoint("payout.noted");
}

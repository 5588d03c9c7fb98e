import type { IdSource } from "@fairtick/domain";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type ChainNode, openIncident, requireMillionths } from "../chain/index.ts";
import type { PayoutNode } from "./payout-node.ts";
import type { SignerDoor } from "../signer/index.ts";
import { WITHDRAWAL_SELECT, type WithdrawalRow } from "../withdrawals/index.ts";

/** Everything that paying on one chain needs. */
export interface PayoutParts extends Pick<Context, "databases" | "clock" | "log" | "bus"> {
  readonly settings: ChainSettings;
  readonly node: PayoutNode;
  /** A node run by someone else, which has to agree before a payment counts as made or failed. */
  readonly witness: ChainNode | null;
  readonly signer: SignerDoor;
  readonly ids: IdSource;
}

/** What a worker remembers between rounds. A restart may lose it: nothing is decided by it alone. */
export interface PayoutMemory {
  /** When each withdrawal's transaction was last sent to the node, in elapsed ms. */
  readonly sentAt: Map<bigint, number>;
  /** How many rounds in a row each withdrawal's nonce was found used, but not by any of our attempts. */
  readonly strangers: Map<bigint, number>;
  /** When each sweep transaction was last sent to the node, by its hash, in elapsed ms. */
  readonly sweepSentAt: Map<string, number>;
  /** When addresses were last searched for deposits to sweep, in elapsed ms. */
  sweepsPlannedAt: number;
  /** The slow steps of sweeps that were already reported. */
  readonly sweepsTold: Set<string>;
  balancesAt: number;
  /** Whether the token's decimals were read and are six. */
  decimalsSeen: boolean;
}

export function newPayoutMemory(): PayoutMemory {
  return {
    sentAt: new Map(),
    strangers: new Map(),
    sweepSentAt: new Map(),
    sweepsPlannedAt: Number.NEGATIVE_INFINITY,
    sweepsTold: new Set(),
    balancesAt: Number.NEGATIVE_INFINITY,
    decimalsSeen: false,
  };
}

/** The chain instance that is read now. A test chain that is wiped starts a new one. */
export interface PayoutInstance {
  readonly instanceId: number;
  readonly evmChainId: bigint;
  readonly genesis: string;
  readonly token: string;
}

/** Finds the chain instance. Null if the chain isn't read at the moment or the node serves another one: then nothing is paid. */
export async function findPayoutInstance(
  { databases, node, settings }: PayoutParts,
  memory: PayoutMemory,
): Promise<PayoutInstance | null> {
  const [row] = await databases.payout.query<{
    instance_id: number;
    evm_chain_id: bigint;
    genesis_hash: string;
    token: string;
  }>("SELECT * FROM chain_instances WHERE chain = $1 AND ended_at IS NULL", [settings.chain]);
  if (row === undefined) return null;
  const [chainId, first] = await Promise.all([node.chainId(), node.block(0n)]);
  if (chainId !== row.evm_chain_id || first?.hash !== row.genesis_hash || row.token !== settings.token) return null;
  if (!memory.decimalsSeen) await requireMillionths(node, settings);
  memory.decimalsSeen = true;
  return {
    instanceId: row.instance_id,
    evmChainId: row.evm_chain_id,
    genesis: row.genesis_hash,
    token: row.token,
  };
}

/** Returns the height of the last block that no reorganization can remove. */
export async function finalHeight({ node, settings }: PayoutParts): Promise<bigint> {
  const { confirmations } = settings;
  const block = await node.block(confirmations === "finalized" ? "finalized" : "latest");
  if (block === null) return -1n;
  return confirmations === "finalized" ? block.number : block.number - BigInt(confirmations) + 1n;
}

export async function readOpen(
  db: Queryable,
  where: string,
  values: readonly unknown[],
): Promise<readonly WithdrawalRow[]> {
  return db.query<WithdrawalRow>(
    `${WITHDRAWAL_SELECT} WHERE w.end_id IS NULL AND ${where} ORDER BY w.withdrawal_id LIMIT 500`,
    values,
  );
}

/**
 * Opens an incident for an operator, once for each subject. Runs in the transaction that makes it necessary: otherwise a
 * process that died in between would leave it unreported.
 */
export async function callPerson(
  { databases, clock, log, settings }: PayoutParts,
  kind: "payout_stopped" | "sweep_failed" | "sweep_refused" | "sweep_slow" | "payout_failed" | "payout_refused",
  subject: string,
  memberId: bigint | null,
  detail: Readonly<Record<string, string>>,
  db: Queryable = databases.payout,
): Promise<void> {
  const incident = { kind, subject, memberId, detail: { chain: settings.chain, ...detail } };
  const opened = await openIncident(db, incident, clock.now());
  if (opened !== null) log.fatal({ ...incident.detail, subject }, "a payment needs an operator");
}

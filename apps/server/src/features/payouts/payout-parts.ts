import type { IdSource } from "@fairtick/domain";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type ChainNode, openIncident, requireMillionths } from "../chain/index.ts";
import type { PayoutNode } from "./payout-node.ts";
import type { SignerDoor } from "../signer/index.ts";
import { WITHDRAWAL_SELECT, type WithdrawalRow } from "../withdrawals/index.ts";

/** What paying on one chain is handed. */
export interface PayoutParts extends Pick<Context, "databases" | "clock" | "log" | "bus"> {
  readonly settings: ChainSettings;
  readonly node: PayoutNode;
  /** Another node, asked before a payment counts as made or as failed. */
  readonly witness: ChainNode | null;
  readonly signer: SignerDoor;
  readonly ids: IdSource;
}

/** What a worker remembers between rounds; that it forgets it costs nothing. */
export interface PayoutMemory {
  /** When each withdrawal's transaction was last handed to the node, elapsed ms. */
  readonly sentAt: Map<bigint, number>;
  /** In how many rounds in a row a nonce was found used up by no attempt of ours. */
  readonly strangers: Map<bigint, number>;
  /** When each transaction that brings a deposit in was last handed to the node, by its hash, elapsed ms. */
  readonly sweepSentAt: Map<string, number>;
  /** When addresses were last gone through for what has to be brought in, elapsed ms; which slow steps were told of. */
  sweepsPlannedAt: number;
  readonly sweepsTold: Set<string>;
  balancesAt: number;
  /** The token's decimals were asked for, and are six. */
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

/** The life of the chain that is read now. */
export interface PayoutInstance {
  readonly instanceId: number;
  readonly evmChainId: bigint;
  readonly genesis: string;
  readonly token: string;
}

/** null while the chain is not being read, or while the node speaks of another one: then nothing is paid. */
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

/** The last block that nothing can take back any more. */
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

/** Calls a person, once for each subject; in the transaction that makes it needed, or nobody is called where the process dies after it. */
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
  if (opened !== null) log.fatal({ ...incident.detail, subject }, "a payment needs a person");
}

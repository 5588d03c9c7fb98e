import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import { type ChainBlock, NodeProblem } from "./node.ts";
import { requireMillionths } from "./token-decimals.ts";
import type { WatchParts } from "./watch-parts.ts";

/** One instance of a chain, from its genesis on, and how far it has been read. A test chain gets a new one when it is wiped. */
export interface ChainInstance {
  readonly instanceId: number;
  readonly cursorHeight: bigint;
  readonly cursorHash: string;
}

interface Identity {
  readonly chainId: bigint;
  readonly genesis: string;
}

interface InstanceRow {
  readonly instance_id: number;
  readonly evm_chain_id: bigint;
  readonly genesis_hash: string;
  readonly token: string;
  readonly cursor_height: bigint;
  readonly cursor_hash: string;
}

/**
 * Finds the instance of the node's chain. It is asked for in each round, because the node behind the address might have
 * been replaced. Throws `ChainAlarm` if it is another chain than before, unless it is a test chain that may be wiped.
 */
export async function findInstance(parts: WatchParts, head: ChainBlock): Promise<ChainInstance> {
  const { settings, node, databases } = parts;
  const [chainId, first] = await Promise.all([node.chainId(), node.block(0n)]);
  if (first === null) throw new NodeProblem("the node has no first block");
  const identity: Identity = { chainId, genesis: first.hash };
  if (settings.genesis !== null && settings.genesis !== identity.genesis) {
    throw new ChainAlarm(`the node's chain begins with ${identity.genesis}, the settings say ${settings.genesis}`);
  }
  const [row] = await databases.chain.query<InstanceRow>(
    "SELECT * FROM chain_instances WHERE chain = $1 AND ended_at IS NULL",
    [settings.chain],
  );
  if (row === undefined) return openInstance(parts, identity, head);
  const same = row.evm_chain_id === chainId && row.genesis_hash === identity.genesis && row.token === settings.token;
  if (same) return instanceOf(row);
  if (!settings.mayStartAnew) {
    throw new ChainAlarm(
      `the node shows chain ${chainId} from ${identity.genesis} with token ${settings.token}; ` +
        `deposits were read from chain ${row.evm_chain_id}, ${row.genesis_hash}, ${row.token}`,
    );
  }
  parts.log.warn({ chain: settings.chain, ...identity }, "the test chain was wiped and restarted");
  return openInstance(parts, identity, head);
}

/** Replaces the old instance with a new one. Unfinished deposits of the old one can no longer arrive. */
async function openInstance(
  parts: WatchParts,
  { chainId, genesis }: Identity,
  head: ChainBlock,
): Promise<ChainInstance> {
  const { settings, node, databases, clock } = parts;
  await requireMillionths(node, settings);
  const begin = settings.startHeight ?? (settings.mayStartAnew ? 0 : null);
  // The block before the first one to read. Anything that matters comes later, since no address has been shown yet.
  const height = begin === null ? head.number : BigInt(Math.max(0, begin - 1));
  const block = await node.block(height);
  if (block === null) throw new NodeProblem(`the node has no block ${height}`);
  const now = clock.now();
  const opened = await databases.chain.transaction(async (transaction) => {
    await transaction.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`chain ${settings.chain}`]);
    await endInstances(transaction, settings.chain, now);
    const [row] = await transaction.query<InstanceRow>(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, looked_height, read_at)
       VALUES ($1, $2, $3, $4, $5, $6, $5, $5, 0)
       ON CONFLICT (chain, evm_chain_id, genesis_hash, token) DO UPDATE SET ended_at = NULL RETURNING *`,
      [settings.chain, chainId, genesis, settings.token, block.number, block.hash],
    );
    if (row === undefined) throw new Error("no instance was opened");
    await transaction.query(
      "INSERT INTO chain_blocks (instance_id, height, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [row.instance_id, block.number, block.hash],
    );
    crashPoint("chain.opening");
    return instanceOf(row);
  });
  crashPoint("chain.opened");
  return opened;
}

async function endInstances(transaction: Queryable, chain: string, now: bigint): Promise<void> {
  await transaction.query(
    `UPDATE deposits SET stage = 'rejected', reason = 'chain_anew', stage_at = $2 WHERE stage IN ('confirming', 'orphaned')
       AND deposit_id IN (SELECT deposit_id FROM chain_transfers JOIN chain_instances USING (instance_id)
         WHERE chain = $1 AND ended_at IS NULL)`,
    [chain, now],
  );
  await transaction.query("UPDATE chain_instances SET ended_at = $2 WHERE chain = $1 AND ended_at IS NULL", [
    chain,
    now,
  ]);
}

function instanceOf(row: InstanceRow): ChainInstance {
  return { instanceId: row.instance_id, cursorHeight: row.cursor_height, cursorHash: row.cursor_hash };
}

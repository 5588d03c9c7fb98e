import { crashPoint } from "../../platform/crash-point.ts";
import { readAddresses, storeTransfers } from "./chain-rows.ts";
import { openIncident } from "./incidents.ts";
import { findInstance } from "./instances.ts";
import { readTransfers } from "./transfer-logs.ts";
import type { WatchParts } from "./watch-parts.ts";

const BLOCKS_AT_ONCE = 1_000n;

/**
 * Reads blocks again that were read before, for every token: at least the newest ones, and all since the last time. If
 * our own token turns up, a node had kept it back: it is stored as if it had been seen in time, and an incident opens.
 * Returns whether there is more to read.
 */
export async function rescan(parts: WatchParts, blocksAtOnce = BLOCKS_AT_ONCE): Promise<boolean> {
  const { databases, settings, node } = parts;
  const head = await node.block("latest");
  if (head === null) return false;
  const instance = await findInstance(parts, head);
  const [row] = await databases.chain.query<{ looked_height: bigint }>(
    "SELECT looked_height FROM chain_instances WHERE instance_id = $1",
    [instance.instanceId],
  );
  const newest = instance.cursorHeight - blocksAtOnce;
  const next = (row?.looked_height ?? 0n) + 1n;
  const low = next < newest ? next : newest;
  const from = low < 0n ? 0n : low;
  const end = from + blocksAtOnce;
  const to = end < instance.cursorHeight ? end : instance.cursorHeight;
  const addresses = await readAddresses(databases.chain, settings.chain);
  const seen = await readTransfers(parts.witness ?? node, { from, to }, settings.token, addresses, "every");
  await databases.chain.transaction(async (transaction) => {
    const known = await transaction.query<{ key: string }>(
      "SELECT tx_hash || ':' || log_index AS key FROM chain_transfers WHERE instance_id = $1 AND height >= $2",
      [instance.instanceId, from],
    );
    const keys = new Set(known.map(({ key }) => key));
    const unseen = seen.filter(({ txHash, logIndex }) => !keys.has(`${txHash}:${logIndex}`));
    const others = unseen.filter(({ token }) => token !== settings.token);
    await storeTransfers(transaction, parts, instance, others, addresses);
    const own = unseen.filter(({ token }) => token === settings.token);
    const missed = await storeTransfers(transaction, parts, instance, own, addresses);
    for (const { depositId, memberId } of missed) {
      const subject = String(depositId);
      const incident = { kind: "missed_transfer", subject, memberId, detail: { chain: settings.chain } } as const;
      await openIncident(transaction, incident, parts.clock.now());
    }
    await transaction.query(
      "UPDATE chain_instances SET looked_height = greatest(looked_height, $2) WHERE instance_id = $1",
      [instance.instanceId, to],
    );
    crashPoint("chain.found");
  });
  crashPoint("chain.looked");
  return to < instance.cursorHeight;
}

import { crashPoint } from "../../platform/crash-point.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import {
  CursorMoved,
  lockCursor,
  moveCursor,
  orphanAbove,
  readAddresses,
  storeTransfers,
  type Touched,
} from "./chain-rows.ts";
import { CREDIT_FROM_START, creditFinal, type CreditPlace, reportLost } from "./credit-final.ts";
import { type ChainInstance, findInstance } from "./instances.ts";
import { type ChainBlock, NodeProblem } from "./node.ts";
import { requireMillionths } from "./token-decimals.ts";
import { readTransfers, type SeenTransfer } from "./transfer-logs.ts";
import type { WatchParts } from "./watch-parts.ts";

/** What a watcher remembers between rounds. It may be lost without harm. */
export interface WatchMemory {
  /** Number of blocks per request when catching up. Halved if it is too many for a node. */
  blocksAtOnce: number;
  /** The newest block that screens were told about. */
  toldHead: bigint;
  /** Since when the node has known fewer blocks than were already read; null while it doesn't lag. */
  lagsSince: number | null;
  /** Whether the token was found to have six decimals. */
  decimalsSeen: boolean;
  /** Where the next round continues crediting. */
  creditAfter: CreditPlace;
}

export function newMemory(): WatchMemory {
  return {
    blocksAtOnce: BLOCKS_AT_ONCE_MAX,
    toldHead: -1n,
    lagsSince: null,
    decimalsSeen: false,
    creditAfter: CREDIT_FROM_START,
  };
}

const BLOCKS_AT_ONCE_MAX = 1_000;
/** This close to the head, each block is read by its hash: nodes behind one address may be on different branches. */
const NEAR_BLOCKS = 32n;
const DEEPEST_READ = 600;
/** How long to wait for a lagging node before an incident opens. */
export const LAG_MAX_MS = 10 * 60_000;

interface Span {
  /** Blocks that were read completely, ascending; empty if nothing new could be read. */
  readonly blocks: readonly ChainBlock[];
  readonly seen: readonly SeenTransfer[];
}

/**
 * Reads the chain once: checks that it is the same chain and whether it was reorganized, stores new transfers and credits
 * final ones. Returns whether there is more to read at once. Throws if the node fails; the cursor then moves only past blocks
 * that were read completely.
 */
export async function watchRound(parts: WatchParts, memory: WatchMemory): Promise<boolean> {
  const { node, databases, clock } = parts;
  const head = await node.block("latest");
  if (head === null) throw new NodeProblem("the node has no newest block");
  const instance = await findInstance(parts, head);
  if (!memory.decimalsSeen) await requireMillionths(node, parts.settings);
  memory.decimalsSeen = true;
  if (!(await isOnBranch(parts, instance, head))) {
    await stepBack(parts, instance, head);
    return true;
  }
  if (head.number < instance.cursorHeight) return waitForNode(parts, memory);
  memory.lagsSince = null;
  // Read the addresses after the head: an address that is shown later can only be paid in a later block.
  const addresses = await readAddresses(databases.chain, parts.settings.chain);
  const span = await readSpan(parts, memory, instance, head, addresses);
  crashPoint("chain.read");
  let touched: readonly Touched[] = [];
  try {
    touched = await databases.chain.transaction(async (transaction) => {
      await lockCursor(transaction, instance);
      const changed = await storeTransfers(transaction, parts, instance, span.seen, addresses);
      await moveCursor(transaction, instance, span.blocks, head.number, clock.now());
      crashPoint("chain.stored");
      return changed;
    });
  } catch (error) {
    if (error instanceof CursorMoved) return false;
    throw error;
  }
  crashPoint("chain.moved");
  const cursorHeight = span.blocks.at(-1)?.number ?? instance.cursorHeight;
  const finalHeight = await readFinalHeight(parts, head, cursorHeight);
  const credited = await creditFinal(parts, instance, finalHeight, memory.creditAfter);
  memory.creditAfter = credited.next;
  await reportLost(parts, instance, finalHeight);
  await tell(parts, memory, instance, head, [...touched, ...credited.touched]);
  return cursorHeight < head.number && span.blocks.length > 0;
}

/**
 * Returns whether the node still has the newest block that we read, or the newest one up to its own head. Only a different
 * block at the same height means that the chain was reorganized. A node that lags or doesn't know a block proves nothing.
 */
async function isOnBranch(parts: WatchParts, instance: ChainInstance, head: ChainBlock): Promise<boolean> {
  const [newest] = await readKept(parts, instance, head.number, 1);
  return newest === undefined || (await knownBlock(parts, newest.height)).hash === newest.hash;
}

/** Waits for a node that knows fewer blocks than were already read. If it lags for long, an incident opens. */
function waitForNode({ clock }: WatchParts, memory: WatchMemory): false {
  memory.lagsSince ??= clock.elapsedMs();
  if (clock.elapsedMs() - memory.lagsSince < LAG_MAX_MS) return false;
  throw new ChainAlarm("the node has shown less than was read already for ten minutes and more");
}

function readKept({ databases }: WatchParts, instance: ChainInstance, upTo: bigint, limit: number) {
  return databases.chain.query<{ height: bigint; hash: string }>(
    "SELECT height, hash FROM chain_blocks WHERE instance_id = $1 AND height <= $2 ORDER BY height DESC LIMIT $3",
    [instance.instanceId, upTo, limit],
  );
}

/**
 * Reads a block at or below the head. A node behind a load balancer may know less than the one that reported the head.
 */
async function knownBlock({ node }: WatchParts, height: bigint): Promise<ChainBlock> {
  const block = await node.block(height);
  if (block === null) throw new NodeProblem(`the node has no block ${height} below its newest one`);
  return block;
}

/** Goes back to the newest block that the chain still has. `removed` flags of nodes are never relied on. */
async function stepBack(parts: WatchParts, instance: ChainInstance, head: ChainBlock): Promise<void> {
  const { databases, clock, log, settings, bus } = parts;
  for (const { height, hash } of await readKept(parts, instance, head.number, DEEPEST_READ)) {
    const block = await knownBlock(parts, height);
    if (block.hash !== hash) continue;
    const orphaned = await databases.chain.transaction(async (transaction) => {
      await lockCursor(transaction, instance);
      const those = await orphanAbove(transaction, instance, block, clock.now());
      crashPoint("chain.orphaned");
      return those;
    });
    crashPoint("chain.stepped");
    log.warn(
      { chain: settings.chain, from: String(instance.cursorHeight), to: String(height) },
      "the chain was reorganised",
    );
    publish(bus, orphaned);
    return;
  }
  throw new ChainAlarm(`no block that was read is on the chain any more, down from ${instance.cursorHeight}`);
}

async function readSpan(
  parts: WatchParts,
  memory: WatchMemory,
  instance: ChainInstance,
  head: ChainBlock,
  addresses: ReadonlyMap<string, bigint>,
): Promise<Span> {
  const from = instance.cursorHeight + 1n;
  if (from > head.number) return { blocks: [], seen: [] };
  const near = head.number - NEAR_BLOCKS;
  return from <= near
    ? readFar(parts, memory, from, near, addresses)
    : readNear(parts, instance, head.number, addresses);
}

/** Reads the transfers of a range of blocks at once. Only for blocks that are far enough below the head. */
async function readFar(
  { node, settings }: WatchParts,
  memory: WatchMemory,
  from: bigint,
  near: bigint,
  addresses: ReadonlyMap<string, bigint>,
): Promise<Span> {
  const end = from + BigInt(memory.blocksAtOnce) - 1n;
  const to = end < near ? end : near;
  try {
    const before = await node.block(to);
    const seen = await readTransfers(node, { from, to }, settings.token, addresses);
    const after = await node.block(to);
    if (before === null || before.hash !== after?.hash) throw new NodeProblem("the chain moved while it was read");
    memory.blocksAtOnce = Math.min(BLOCKS_AT_ONCE_MAX, memory.blocksAtOnce * 2);
    return { blocks: [before], seen };
  } catch (error) {
    memory.blocksAtOnce = Math.max(1, Math.floor(memory.blocksAtOnce / 2));
    throw error;
  }
}

/** Reads block by block. Stops at a block that isn't the child of the one before. */
async function readNear(
  { node, settings }: WatchParts,
  instance: ChainInstance,
  head: bigint,
  addresses: ReadonlyMap<string, bigint>,
): Promise<Span> {
  const blocks: ChainBlock[] = [];
  const seen: SeenTransfer[] = [];
  let parent = instance.cursorHash;
  for (let height = instance.cursorHeight + 1n; height <= head; height += 1n) {
    const block = await node.block(height);
    if (block === null || block.parentHash !== parent) break;
    seen.push(...(await readTransfers(node, { blockHash: block.hash }, settings.token, addresses)));
    blocks.push(block);
    parent = block.hash;
  }
  return { blocks, seen };
}

/** Reads the height up to which transfers are final and may be credited; never above the cursor. */
async function readFinalHeight({ node, settings }: WatchParts, head: ChainBlock, cursor: bigint): Promise<bigint> {
  const { confirmations } = settings;
  const final =
    confirmations === "finalized"
      ? ((await node.block("finalized"))?.number ?? -1n)
      : head.number - BigInt(confirmations) + 1n;
  return final < cursor ? final : cursor;
}

/** Announces changed deposits and new blocks, so that screens show each new confirmation. */
async function tell(
  { databases, bus }: WatchParts,
  memory: WatchMemory,
  instance: ChainInstance,
  head: ChainBlock,
  touched: readonly Touched[],
): Promise<void> {
  const waiting =
    head.number === memory.toldHead
      ? []
      : await databases.chain.query<{ member_id: bigint; deposit_id: bigint }>(
          `SELECT d.member_id, d.deposit_id FROM deposits d JOIN chain_transfers t USING (deposit_id)
           WHERE d.stage = 'confirming' AND t.instance_id = $1 LIMIT 1000`,
          [instance.instanceId],
        );
  memory.toldHead = head.number;
  publish(bus, [...touched, ...waiting.map((row) => ({ memberId: row.member_id, depositId: row.deposit_id }))]);
}

function publish(bus: WatchParts["bus"], touched: readonly Touched[]): void {
  if (touched.length === 0) return;
  const members = touched.map(({ memberId }) => memberId);
  bus.publish("deposits", { members, depositIds: touched.map(({ depositId }) => depositId) });
}

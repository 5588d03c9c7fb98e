import { formatPrefixedId, type MemberId, tokenCredit } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";
import type { ChainInstance } from "./instances.ts";
import type { SeenTransfer } from "./transfer-logs.ts";
import type { WatchParts } from "./watch-parts.ts";

/** Thrown if another watcher has moved the cursor in the meantime. What was read is discarded. */
export class CursorMoved extends Error {
  override readonly name = "CursorMoved";
}

/** How many blocks are kept to find where a reorganization began. */
const BLOCKS_KEPT = 256n;
/** Anybody can issue tokens and send them to everybody, so only this many are stored per member. */
const WRONG_TOKENS_MAX = 50;
/** Upper bound of a transfer: 1,000,000,000 USDT, more than any single address holds. */
const UNITS_MAX = 10n ** 15n;

/** Locks the instance and checks that its cursor is where the caller believes. This keeps two watchers apart. */
export async function lockCursor(transaction: Queryable, instance: ChainInstance): Promise<void> {
  const [row] = await transaction.query<{ cursor_height: bigint; cursor_hash: string; ended_at: bigint | null }>(
    "SELECT cursor_height, cursor_hash, ended_at FROM chain_instances WHERE instance_id = $1 FOR NO KEY UPDATE",
    [instance.instanceId],
  );
  const here =
    row?.ended_at === null && row.cursor_height === instance.cursorHeight && row.cursor_hash === instance.cursorHash;
  if (!here) throw new CursorMoved("another watcher reads this chain");
}

/** Reads our addresses on a chain, with their members. */
export async function readAddresses(database: Queryable, chain: string): Promise<ReadonlyMap<string, bigint>> {
  const rows = await database.query<{ address: string; member_id: bigint }>(
    "SELECT address, member_id FROM deposit_addresses WHERE chain = $1",
    [chain],
  );
  return new Map(rows.map(({ address, member_id }) => [address, member_id]));
}

/** A deposit that has changed, and the member to tell about it. */
export interface Touched {
  readonly memberId: bigint;
  readonly depositId: bigint;
}

interface KnownRow {
  readonly deposit_id: bigint;
  readonly member_id: bigint;
  readonly stage: string;
  readonly block_hash: string;
  readonly to_address: string;
  readonly lost_at_height: bigint | null;
}

/**
 * Stores the transfers that were seen, each one once: a new one becomes a deposit, a known one gets the block that it
 * is in now. Returns what changed. Nothing is credited here.
 */
export async function storeTransfers(
  transaction: Queryable,
  parts: WatchParts,
  instance: ChainInstance,
  seen: readonly SeenTransfer[],
  addresses: ReadonlyMap<string, bigint>,
): Promise<readonly Touched[]> {
  const touched: Touched[] = [];
  for (const transfer of seen) {
    // A transfer of zero is not a deposit. Anybody can make one in anybody's name.
    if (transfer.rawAmount === 0n) continue;
    const [known] = await transaction.query<KnownRow>(
      `SELECT t.deposit_id, d.member_id, d.stage, t.block_hash, t.to_address, t.lost_at_height
       FROM chain_transfers t JOIN deposits d USING (deposit_id) WHERE instance_id = $1 AND tx_hash = $2 AND log_index = $3`,
      [instance.instanceId, transfer.txHash, transfer.logIndex],
    );
    const memberId = addresses.get(transfer.to);
    if (memberId === undefined) continue;
    const depositId =
      known === undefined
        ? await insertTransfer(transaction, parts, instance, transfer, memberId)
        : await moveTransfer(transaction, parts, instance, transfer, known);
    if (depositId !== null) touched.push({ memberId: known?.member_id ?? memberId, depositId });
  }
  return touched;
}

async function insertTransfer(
  transaction: Queryable,
  { settings, ids, clock }: WatchParts,
  instance: ChainInstance,
  transfer: SeenTransfer,
  memberId: bigint,
): Promise<bigint | null> {
  const isOurs = transfer.token === settings.token;
  if (!isOurs) {
    const [count] = await transaction.query<{ count: bigint }>(
      "SELECT count(*) FROM deposits WHERE member_id = $1 AND stage = 'wrong_token'",
      [memberId],
    );
    if ((count?.count ?? 0n) >= WRONG_TOKENS_MAX) return null;
  }
  const isBounded = transfer.rawAmount <= UNITS_MAX;
  const amount = isOurs && isBounded ? tokenCredit(transfer.rawAmount, settings.rate).credited : 0n;
  const [stage, reason] = firstStage(isOurs, isBounded);
  const depositId = ids.next();
  await transaction.query(
    `INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at, reason)
     VALUES ($1, $2, 'crypto', $3, $4, $5, $5, $6)`,
    [depositId, memberId, stage, amount, clock.now(), reason],
  );
  await transaction.query(
    `INSERT INTO chain_transfers (instance_id, tx_hash, log_index, deposit_id, token, from_address, to_address, raw_amount, rate, height, block_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      instance.instanceId,
      transfer.txHash,
      transfer.logIndex,
      depositId,
      transfer.token,
      transfer.from,
      transfer.to,
      transfer.rawAmount,
      settings.rate,
      transfer.height,
      transfer.blockHash,
    ],
  );
  if (!isOurs)
    await tellMember(transaction, memberId, "depositWrongToken", { depositNo: formatPrefixedId("dep", depositId) });
  return depositId;
}

async function moveTransfer(
  transaction: Queryable,
  { settings, clock, log }: WatchParts,
  instance: ChainInstance,
  transfer: SeenTransfer,
  known: KnownRow,
): Promise<bigint | null> {
  if (known.to_address !== transfer.to) {
    // A contract can pay somebody else depending on the block that it is in. The old row stays, and its receipt won't match.
    log.error(
      { chain: settings.chain, tx: transfer.txHash },
      "a transaction that moved to another block now pays somebody else",
    );
    return null;
  }
  const isBack = known.stage === "orphaned";
  if (known.block_hash === transfer.blockHash && known.lost_at_height === null && !isBack) return null;
  await transaction.query(
    `UPDATE chain_transfers SET height = $4, block_hash = $5, lost_at_height = NULL, lost_at = NULL,
       raw_amount = CASE WHEN $7::boolean THEN raw_amount ELSE $6::numeric END
     WHERE instance_id = $1 AND tx_hash = $2 AND log_index = $3`,
    [
      instance.instanceId,
      transfer.txHash,
      transfer.logIndex,
      transfer.height,
      transfer.blockHash,
      transfer.rawAmount,
      known.stage === "credited",
    ],
  );
  if (isBack) {
    await transaction.query("UPDATE deposits SET stage = 'confirming', stage_at = $2 WHERE deposit_id = $1", [
      known.deposit_id,
      clock.now(),
    ]);
  }
  return known.deposit_id;
}

/**
 * Moves the cursor over blocks that were read completely. `blocks` are in ascending order; the last one is the new
 * cursor.
 */
export async function moveCursor(
  transaction: Queryable,
  instance: ChainInstance,
  blocks: readonly { readonly number: bigint; readonly hash: string }[],
  head: bigint,
  now: bigint,
): Promise<void> {
  const last = blocks.at(-1);
  await transaction.query(
    `UPDATE chain_instances SET head_height = $2::bigint, cursor_height = $3::bigint, cursor_hash = $4,
       read_at = CASE WHEN $3::bigint >= $2::bigint THEN $5::bigint ELSE read_at END
     WHERE instance_id = $1`,
    [instance.instanceId, head, last?.number ?? instance.cursorHeight, last?.hash ?? instance.cursorHash, now],
  );
  if (last === undefined) return;
  for (const { number, hash } of blocks) {
    await transaction.query(
      `INSERT INTO chain_blocks (instance_id, height, hash) VALUES ($1, $2, $3)
       ON CONFLICT (instance_id, height) DO UPDATE SET hash = excluded.hash`,
      [instance.instanceId, number, hash],
    );
  }
  // The first block is kept: a reorganization can't reach below it.
  await transaction.query(
    `DELETE FROM chain_blocks WHERE instance_id = $1 AND height < $2
       AND height > (SELECT min(height) FROM chain_blocks WHERE instance_id = $1)`,
    [instance.instanceId, last.number - BLOCKS_KEPT],
  );
}

/**
 * Undoes blocks above `ancestor`, which are no longer on the chain: unfinished deposits wait for their transfer to come
 * back, and credited ones block their member's withdrawals from now on.
 */
export async function orphanAbove(
  transaction: Queryable,
  instance: ChainInstance,
  ancestor: { readonly number: bigint; readonly hash: string },
  now: bigint,
): Promise<readonly Touched[]> {
  const orphaned = await transaction.query<{ member_id: bigint; deposit_id: bigint }>(
    `UPDATE deposits d SET stage = 'orphaned', stage_at = $3 FROM chain_transfers t
     WHERE t.deposit_id = d.deposit_id AND t.instance_id = $1 AND t.height > $2 AND d.stage = 'confirming'
     RETURNING d.member_id, d.deposit_id`,
    [instance.instanceId, ancestor.number, now],
  );
  await transaction.query(
    `UPDATE chain_transfers t SET lost_at_height = $3, lost_at = $4 FROM deposits d
     WHERE d.deposit_id = t.deposit_id AND t.instance_id = $1 AND t.height > $2 AND d.stage IN ('credited', 'below_minimum')
       AND t.lost_at_height IS NULL`,
    [instance.instanceId, ancestor.number, instance.cursorHeight, now],
  );
  await transaction.query("DELETE FROM chain_blocks WHERE instance_id = $1 AND height > $2", [
    instance.instanceId,
    ancestor.number,
  ]);
  await transaction.query("UPDATE chain_instances SET cursor_height = $2, cursor_hash = $3 WHERE instance_id = $1", [
    instance.instanceId,
    ancestor.number,
    ancestor.hash,
  ]);
  return orphaned.map(({ member_id, deposit_id }) => ({ memberId: member_id, depositId: deposit_id }));
}

/** A stored transfer to us that waits for confirmations, or whose block has to be verified. */
export interface StoredTransfer extends SeenTransfer {
  readonly depositId: bigint;
  readonly memberId: MemberId;
  readonly rate: bigint;
}

interface StoredRow {
  readonly deposit_id: bigint;
  readonly member_id: bigint;
  readonly tx_hash: string;
  readonly log_index: number;
  readonly token: string;
  readonly from_address: string;
  readonly to_address: string;
  readonly raw_amount: string;
  readonly rate: bigint;
  readonly height: bigint;
  readonly block_hash: string;
}

export const STORED_COLUMNS =
  "d.deposit_id, d.member_id, t.tx_hash, t.log_index, t.token, t.from_address, t.to_address, t.raw_amount, t.rate, t.height, t.block_hash";

export async function readStored(
  database: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<readonly StoredTransfer[]> {
  const rows = await database.query<StoredRow>(
    `SELECT ${STORED_COLUMNS} FROM chain_transfers t JOIN deposits d USING (deposit_id) WHERE ${condition}`,
    values,
  );
  return rows.map((row) => ({
    depositId: row.deposit_id,
    memberId: row.member_id as MemberId,
    txHash: row.tx_hash,
    logIndex: row.log_index,
    token: row.token,
    from: row.from_address,
    to: row.to_address,
    rawAmount: BigInt(row.raw_amount),
    rate: row.rate,
    height: row.height,
    blockHash: row.block_hash,
  }));
}

/** Returns the stage that a transfer starts in, and the reason if it also ends there. */
function firstStage(isOurs: boolean, isBounded: boolean): readonly [stage: string, reason: string | null] {
  if (!isOurs) return ["wrong_token", "wrong_token"];
  return isBounded ? ["confirming", null] : ["rejected", "too_large"];
}

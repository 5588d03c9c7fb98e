import { type Instant, type MemberId, type MerkleTree, merkleTree, type OrderId } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { PlacedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Queryable } from "../../platform/database.ts";
import { acceptanceView, proveBatch } from "./batch-proof.ts";

export interface StoredBatch {
  /** Text of the batch's `orders.accept` entry. */
  readonly entry: string;
  /** Commitments of the orders, followed by those of the refusals. */
  readonly commitments: readonly Buffer[];
  readonly accepted: number;
  readonly tree: MerkleTree;
  readonly root: Uint8Array;
}

/**
 * Reads a batch as it was committed to; null if there is none. Its entry is found by its place in the log or, before it has
 * one, among the newest outbox rows.
 */
export async function readBatch(database: Queryable, batchNo: bigint): Promise<StoredBatch | null> {
  const [row] = await database.query<{ root: Uint8Array; entry: string | null }>(
    `SELECT b.root, coalesce(
       (SELECT o.entry FROM log_entries l JOIN outbox o USING (outbox_id) WHERE l.kind = 'orders.accept' AND l.about = '' AND l.number = $1 LIMIT 1),
       (SELECT o.entry FROM outbox o WHERE o.outbox_id > (SELECT decided_through FROM log_writer) AND o.kind = 'orders.accept'
          AND o.entry LIKE '%"batch":' || $1 || ',%' ORDER BY o.outbox_id DESC LIMIT 1)) AS entry
     FROM acceptance_batches b WHERE b.batch_no = $1`,
    [batchNo],
    "orders_read_batch",
  );
  if (row === undefined || row.entry === null) return null;
  const hashesOf = (name: string) =>
    Buffer.from(new RegExp(`"${name}":"([A-Za-z0-9+/=]*)"`).exec(row.entry ?? "")?.[1] ?? "", "base64");
  const orders = hashesOf("commitments");
  const bytes = Buffer.concat([orders, hashesOf("refusals")]);
  const commitments = Array.from({ length: bytes.length / 32 }, (_, place) =>
    bytes.subarray(place * 32, place * 32 + 32),
  );
  return {
    entry: row.entry,
    commitments,
    accepted: orders.length / 32,
    tree: merkleTree(nodeHashes, commitments),
    root: row.root,
  };
}

/** Rebuilds the acceptance of an earlier order. It can be signed again, since Ed25519 gives the same signature. */
export async function readAcceptance(
  database: Queryable,
  signer: AcceptanceSigner,
  memberId: MemberId,
  orderId: OrderId,
): Promise<PlacedOrder["acceptance"]> {
  const [order] = await database.query<{
    batch_no: bigint;
    accepted_at: Instant;
    batch_place: number;
    nonce: Uint8Array;
  }>(
    "SELECT batch_no, accepted_at, batch_place, nonce FROM orders WHERE member_id = $1 AND order_id = $2",
    [memberId, orderId],
    "orders_read_acceptance",
  );
  const batch = order === undefined ? null : await readBatch(database, order.batch_no);
  if (order === undefined || batch === null) return null;
  return acceptanceView(
    { batchNo: order.batch_no, acceptedAt: order.accepted_at, place: order.batch_place, nonces: order.nonce },
    proveBatch(signer, batch.root, batch.tree, batch.accepted, batch.commitments.length),
  );
}

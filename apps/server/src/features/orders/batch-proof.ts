import { type Instant, type MerkleTree, ORDER_NONCES_BYTES, type Refusal, type RefusalProof } from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";

/**
 * What binds all orders of a batch. It is the same for the whole batch; each member's own part is added to their
 * answer.
 */
export interface BatchProof {
  /** The root that PostgreSQL computed from the batch number, acceptedAt and the Merkle root. */
  readonly root: Uint8Array;
  readonly tree: MerkleTree;
  /** Number of commitments that are orders, and number of all commitments. */
  readonly accepted: number;
  readonly count: number;
  readonly signature: Uint8Array;
  readonly keyId: string;
}

export function proveBatch(
  signer: AcceptanceSigner,
  root: Uint8Array,
  tree: MerkleTree,
  accepted: number,
  count = accepted,
): BatchProof {
  return { root, tree, accepted, count, signature: signer.signBatch(root), keyId: signer.keyId };
}

export interface BatchPlace {
  readonly batchNo: bigint;
  readonly acceptedAt: Instant;
  readonly place: number;
  readonly nonces: Uint8Array;
}

/** Encodes hashes and nonces as hexadecimal and the signature as base64, as in a receipt. */
export function acceptanceView(mine: BatchPlace, proof: BatchProof): PlacedOrder["acceptance"] {
  return { acceptedAt: Number(mine.acceptedAt), ...placeView(mine, proof) };
}

/** Proves a refusal in the same format. */
export function refusalProof({ error }: Refusal, mine: BatchPlace, proof: BatchProof): RefusalProof {
  return { reason: error, at: Number(mine.acceptedAt), ...placeView(mine, proof) };
}

function placeView({ batchNo, place, nonces }: BatchPlace, proof: BatchProof) {
  return {
    batchNo: batchNo.toString(),
    place,
    accepted: proof.accepted,
    count: proof.count,
    path: proof.tree.pathOf(place).map(hex),
    nonce: hex(nonces),
    root: hex(proof.root),
    signature: Buffer.from(proof.signature).toString("base64"),
    key: proof.keyId,
  };
}

/** Returns one order's nonces from the batch's buffer. */
export function noncesOf(nonces: Buffer, place: number): Buffer {
  return nonces.subarray(place * ORDER_NONCES_BYTES, (place + 1) * ORDER_NONCES_BYTES);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

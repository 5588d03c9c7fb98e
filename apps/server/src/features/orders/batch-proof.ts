import { type Instant, type MerkleTree, ORDER_NONCES_BYTES, type Refusal, type RefusalProof } from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";

/** What binds the orders of a batch at once; one for all of them, each member's own part is written for their answer. */
export interface BatchProof {
  /** As PostgreSQL made it: over number, acceptedAt and the tree's root. */
  readonly root: Uint8Array;
  readonly tree: MerkleTree;
  /** How many of its commitments are orders, and how many there are. */
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

/** Hashes and nonces in hexadecimal, the signature in base 64, as in a receipt. */
export function acceptanceView(mine: BatchPlace, proof: BatchProof): PlacedOrder["acceptance"] {
  return { acceptedAt: Number(mine.acceptedAt), ...placeView(mine, proof) };
}

/** What binds the house to a refusal, in the same form. */
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

/** One order's nonces out of the bytes of all. */
export function noncesOf(nonces: Buffer, place: number): Buffer {
  return nonces.subarray(place * ORDER_NONCES_BYTES, (place + 1) * ORDER_NONCES_BYTES);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

import { type Instant, type MerkleTree, NONCE_BYTES } from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";

/** What binds the orders of a batch at once; one for all of them, each member's own part is written for their answer. */
export interface BatchProof {
  /** As PostgreSQL made it: over number, acceptedAt and the tree's root. */
  readonly root: Uint8Array;
  readonly tree: MerkleTree;
  readonly signature: Uint8Array;
  readonly keyId: string;
}

export function proveBatch(signer: AcceptanceSigner, root: Uint8Array, tree: MerkleTree): BatchProof {
  return { root, tree, signature: signer.signBatch(root), keyId: signer.keyId };
}

export interface BatchPlace {
  readonly batchNo: bigint;
  readonly acceptedAt: Instant;
  readonly place: number;
  readonly nonce: Uint8Array;
}

/** Hashes and nonce in hexadecimal, the signature in base 64, as in a receipt. */
export function acceptanceView(
  { batchNo, acceptedAt, place, nonce }: BatchPlace,
  proof: BatchProof,
): PlacedOrder["acceptance"] {
  return {
    batchNo: batchNo.toString(),
    acceptedAt: Number(acceptedAt),
    place,
    path: proof.tree.pathOf(place).map(hex),
    nonce: hex(nonce),
    root: hex(proof.root),
    signature: Buffer.from(proof.signature).toString("base64"),
    key: proof.keyId,
  };
}

/** One nonce out of the bytes of all. */
export function nonceOf(nonces: Buffer, place: number): Buffer {
  return nonces.subarray(place * NONCE_BYTES, (place + 1) * NONCE_BYTES);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

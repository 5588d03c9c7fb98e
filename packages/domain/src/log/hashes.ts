/**
 * The two hash functions that fairness rests on, handed in so that the same rules run in Node, in a browser and
 * in the verifier. Node's is `nodeHashes` in `@fairtick/domain/node`; both answer 32 bytes.
 */
export interface Hashes {
  sha256(bytes: Uint8Array): Uint8Array;
  /** Puts the hash into `target` from `start` on, so that thousands of hashes need no array each. */
  sha256Into(bytes: Uint8Array, target: Uint8Array, start: number): void;
  hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array;
}

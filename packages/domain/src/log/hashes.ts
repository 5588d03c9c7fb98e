/**
 * The two hash functions that fairness depends on. They are passed in, so that the same rules run in Node, in a browser
 * and in the verifier. Node's are `nodeHashes` in `@fairtick/domain/node`. Both return 32 bytes.
 */
export interface Hashes {
  sha256(bytes: Uint8Array): Uint8Array;
  /** Writes the hash into `target` at `start`, so that thousands of hashes don't need an array each. */
  sha256Into(bytes: Uint8Array, target: Uint8Array, start: number): void;
  hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array;
}

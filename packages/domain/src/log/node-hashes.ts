import { hash } from "node:crypto";
import type { Hashes } from "./hashes.ts";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Buffer reused by every call. All code here is synchronous, so calls can't interfere. */
const outer = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);

/**
 * The hash functions implemented with Node's crypto. They have an entry point of their own, so that browsers can bundle
 * the rest of the package. HMAC (RFC 2104) is made of two one-shot hashes; for SM1's short messages that is five times
 * as fast as a `createHmac` object.
 */
export const nodeHashes: Hashes = {
  sha256,
  sha256Into,
  hmacSha256(key, bytes) {
    const short = key.length > BLOCK_BYTES ? sha256(key) : key;
    const inner = new Uint8Array(BLOCK_BYTES + bytes.length);
    for (let index = 0; index < BLOCK_BYTES; index += 1) {
      const byte = short[index] ?? 0;
      inner[index] = byte ^ 0x36;
      outer[index] = byte ^ 0x5c;
    }
    inner.set(bytes, BLOCK_BYTES);
    outer.set(sha256(inner), BLOCK_BYTES);
    return sha256(outer);
  },
};

function sha256(bytes: Uint8Array): Uint8Array {
  const digest = Buffer.allocUnsafe(DIGEST_BYTES);
  sha256Into(bytes, digest, 0);
  return digest;
}

/**
 * Reads the digest as a string with one character per byte. As a buffer, each digest would get an ArrayBuffer of its
 * own, and allocating and collecting those costs twice as much as the hashing.
 */
function sha256Into(bytes: Uint8Array, target: Uint8Array, start: number): void {
  const digest = hash("sha256", bytes, "binary");
  for (let index = 0; index < DIGEST_BYTES; index += 1) target[start + index] = digest.charCodeAt(index);
}

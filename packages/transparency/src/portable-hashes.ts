import type { Hashes } from "@fairtick/domain";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

/**
 * SHA-256 in plain JavaScript, for browsers and Node alike. Where speed matters, callers can pass Node's own
 * (`nodeHashes` in `@fairtick/domain/node`) instead; both give the same bytes.
 */
export const portableHashes: Hashes = {
  sha256: (bytes) => sha256(bytes),
  sha256Into: (bytes, target, start) => target.set(sha256(bytes), start),
  hmacSha256: (key, bytes) => hmac(sha256, key, bytes),
};

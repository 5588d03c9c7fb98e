import { createHmac, hash } from "node:crypto";
import type { Hashes } from "./hashes.ts";

/** SHA-256 by Node's own crypto. Kept out of the package's main door so that browsers can bundle that. */
export const nodeHashes: Hashes = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  hmacSha256: (key, bytes) => createHmac("sha256", key).update(bytes).digest(),
};

import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toHex } from "./bytes.ts";
import { nodeHashes } from "./node-hashes.ts";

const bytes = fc.uint8Array({ maxLength: 200 });

it("agrees with Node's own HMAC and hash objects for keys and messages of any length", () => {
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      expect(toHex(nodeHashes.hmacSha256(key, message))).toBe(createHmac("sha256", key).update(message).digest("hex"));
      expect(toHex(nodeHashes.sha256(message))).toBe(createHash("sha256").update(message).digest("hex"));
    }),
  );
});

it("returns a new array from each call", () => {
  const first = nodeHashes.hmacSha256(new Uint8Array(1), new Uint8Array(1));
  const before = toHex(first);
  nodeHashes.hmacSha256(new Uint8Array(2), new Uint8Array(2));
  expect(toHex(first)).toBe(before);
});

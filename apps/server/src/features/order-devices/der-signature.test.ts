import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { derSignature } from "./der-signature.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

function holdsBothWays(text: Uint8Array, signature: Uint8Array): boolean {
  const der = derSignature(signature);
  const asDer = der !== null && verify("sha256", text, publicKey, der);
  const asPair = verify("sha256", text, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
  expect(asDer).toBe(asPair);
  return asDer;
}

it("verifies for the signed text and for no other", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (text) => {
      const signature = sign("sha256", text, { key: privateKey, dsaEncoding: "ieee-p1363" });
      expect(holdsBothWays(text, signature)).toBe(true);
      expect(holdsBothWays(Uint8Array.of(...text, 1), signature)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

it("gives the same result as the pair of numbers for altered signatures, whatever bytes they begin with", () => {
  const text = Buffer.from("a wish");
  const signature = sign("sha256", text, { key: privateKey, dsaEncoding: "ieee-p1363" });
  const half = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.integer({ min: 0, max: 32 }).map((zeros) => new Uint8Array(32).fill(0xff, zeros)),
    fc.constant(new Uint8Array(signature.subarray(0, 32))),
  );
  fc.assert(
    fc.property(half, half, (r, s) => {
      expect(holdsBothWays(text, Uint8Array.of(...r, ...s))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

it("accepts only 64 bytes", () => {
  for (const length of [0, 63, 65, 70]) expect(derSignature(new Uint8Array(length))).toBeNull();
  expect(derSignature(new Uint8Array(64))).toEqual(Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0));
});

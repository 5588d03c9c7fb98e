import { createHash, createPublicKey, verify } from "node:crypto";

const POINT_BYTES = 65;
const UNCOMPRESSED = 4;

/** Returns whether a text is a P-256 public key: a point on the curve, 65 bytes uncompressed, in base64url. */
export function isP256PublicKey(publicKey: string): boolean {
  return p256Key(publicKey) !== null;
}

/** Checks a signature (ECDSA, P-256, SHA-256; raw r and s in base64url) over the bytes against a public key. */
export function verifyP256(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const key = p256Key(publicKey);
  if (key === null) return false;
  return verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
}

/** Returns the id of a public key: the SHA-256 of its bytes, in hexadecimal. */
export function p256KeyId(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex");
}

function p256Key(publicKey: string) {
  const point = Buffer.from(publicKey, "base64url");
  // Each key must have exactly one text. Node would also accept non-canonical base64url, so that is refused here.
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || point.toString("base64url") !== publicKey)
    return null;
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  try {
    return createPublicKey({ key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) }, format: "jwk" });
  } catch {
    return null;
  }
}

import { createHash, createPublicKey, verify } from "node:crypto";

const POINT_BYTES = 65;
const UNCOMPRESSED = 4;

/** Whether the text is a P-256 point, 65 bytes uncompressed in base64url, that lies on the curve. */
export function isP256PublicKey(publicKey: string): boolean {
  return p256Key(publicKey) !== null;
}

/** Whether `signature` (raw r and s, base64url) over the bytes is of the public key's owner: ECDSA, P-256, SHA-256. */
export function verifyP256(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const key = p256Key(publicKey);
  if (key === null) return false;
  return verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
}

/** How a public key is named: SHA-256 of its bytes, hexadecimal. */
export function p256KeyId(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex");
}

function p256Key(publicKey: string) {
  const point = Buffer.from(publicKey, "base64url");
  // One key has one text: base64url that Node reads leniently is refused.
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || point.toString("base64url") !== publicKey)
    return null;
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  try {
    return createPublicKey({ key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) }, format: "jwk" });
  } catch {
    return null;
  }
}

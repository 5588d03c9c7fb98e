import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** The deployment's secret serves several ends; each has a key of its own. */
function keyOf(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "fairtick operator totp", 32));
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, tag, cipher text. Bound to its operator: one's secret is no use in another's row. */
export function sealTotpSecret(plain: Uint8Array, secret: Buffer, operatorId: bigint): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), iv).setAAD(Buffer.from(String(operatorId)));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws where the deployment's secret is another one than at the sealing. */
export function openTotpSecret(sealed: Buffer, secret: Buffer, operatorId: bigint): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(String(operatorId)))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

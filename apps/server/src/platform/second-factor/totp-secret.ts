import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** The owner of an authenticator app. An operator's secret can't be used in a member's row. */
export interface TotpOwner {
  readonly side: "operator" | "member";
  readonly id: bigint;
}

/** Derives the key for this purpose. The deployment's secret serves several purposes, each with its own key. */
function keyOf(secret: Buffer, side: TotpOwner["side"]): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `fairtick ${side} totp`, 32));
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a secret into nonce, tag and ciphertext. It is bound to its owner and can't be used in another row. */
export function sealTotpSecret(plain: Uint8Array, secret: Buffer, { side, id }: TotpOwner): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, side), iv).setAAD(Buffer.from(String(id)));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Decrypts a secret. Throws if the deployment's secret has changed since it was encrypted. */
export function openTotpSecret(sealed: Buffer, secret: Buffer, { side, id }: TotpOwner): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, side), sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(String(id)))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Whose authenticator app it is: an operator's secret is no use in a member's row. */
export interface TotpOwner {
  readonly side: "operator" | "member";
  readonly id: bigint;
}

/** The deployment's secret serves several ends; each has a key of its own. */
function keyOf(secret: Buffer, side: TotpOwner["side"]): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `fairtick ${side} totp`, 32));
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a secret as nonce, tag and cipher text. Bound to its owner: one's secret is no use in another's row. */
export function sealTotpSecret(plain: Uint8Array, secret: Buffer, { side, id }: TotpOwner): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, side), iv).setAAD(Buffer.from(String(id)));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Opens a sealed secret. Throws where the deployment's secret is another one than at the sealing. */
export function openTotpSecret(sealed: Buffer, secret: Buffer, { side, id }: TotpOwner): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, side), sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(String(id)))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

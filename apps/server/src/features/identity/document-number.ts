import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** The deployment's secret serves several ends; each has a key of its own. */
function keyOf(secret: Buffer, end: "seal" | "hash"): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `fairtick identity number ${end}`, 32));
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, tag, cipher text. Bound to its case: one's number is no use in another's row. */
export function sealNumber(number: string, secret: Buffer, caseId: bigint): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, "seal"), iv).setAAD(Buffer.from(String(caseId)));
  const sealed = Buffer.concat([cipher.update(number, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws where the deployment's secret is another one than at the sealing. */
export function openNumber(sealed: Buffer, secret: Buffer, caseId: bigint): string {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, "seal"), sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(String(caseId)))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}

/**
 * Finds a number again without telling which it is. The document's type and the region are left out: one number in two
 * regions is to be looked at, too.
 */
export function hashNumber(number: string, secret: Buffer): Buffer {
  return createHmac("sha256", keyOf(secret, "hash")).update(number, "utf8").digest();
}

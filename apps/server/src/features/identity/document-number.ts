import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Derives the key for one purpose from the deployment's secret, which serves several. */
function keyOf(secret: Buffer, end: "seal" | "hash"): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `fairtick identity number ${end}`, 32));
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a document's number. Returns nonce, tag and cipher text. The result is bound to its case, so that it can't be
 * decrypted in another case's row.
 */
export function sealNumber(number: string, secret: Buffer, caseId: bigint): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, "seal"), iv).setAAD(Buffer.from(String(caseId)));
  const sealed = Buffer.concat([cipher.update(number, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Decrypts a document's number. Throws if the case or the deployment's secret isn't the one it was encrypted with. */
export function openNumber(sealed: Buffer, secret: Buffer, caseId: bigint): string {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, "seal"), sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(String(caseId)))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}

/**
 * Hashes a document's number, so that the same number can be recognized without being stored. The document's type and region
 * aren't part of the hash, since the same number in two regions has to be looked at too.
 */
export function hashNumber(number: string, secret: Buffer): Buffer {
  return createHmac("sha256", keyOf(secret, "hash")).update(number, "utf8").digest();
}

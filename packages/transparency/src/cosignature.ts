import { concatBytes, u64, utf8 } from "@fairtick/domain";
import { COSIGNATURE_TYPE, SIGNATURE_BYTES, signBytes, verifyBytes, type SignerKey, type VerifierKey } from "./keys.ts";
import type { NoteSignature } from "./note.ts";

/**
 * Length of a cosignature of c2sp.org/tlog-cosignature, type 0x04: u64 time (seconds since 1970 UTC) || Ed25519
 * signature. A cosignature states that this checkpoint extends the last one that the witness cosigned.
 */
export const COSIGNATURE_BYTES = 8 + SIGNATURE_BYTES;
const TIME_END = 1n << 63n;

/** Returns the bytes that are signed: two header lines, then the whole text of the checkpoint. */
export function cosignedBytes(text: string, time: bigint): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${text}`);
}

/** Cosigns a checkpoint. Throws RangeError for a key of another type or a time out of range. */
export function cosign(text: string, time: bigint, key: SignerKey): NoteSignature {
  if (key.verifier.type !== COSIGNATURE_TYPE) throw new RangeError("a log's key does not cosign");
  if (time < 0n || time >= TIME_END) throw new RangeError(`not a time: ${time}`);
  const signature = concatBytes(u64(time), signBytes(key, cosignedBytes(text, time)));
  return { name: key.verifier.name, keyId: key.verifier.id, signature };
}

/** Returns the time of a cosignature, in seconds since 1970 UTC; null if it is invalid. */
export function verifyCosignature(key: VerifierKey, text: string, cosignature: Uint8Array): bigint | null {
  if (key.type !== COSIGNATURE_TYPE || cosignature.length !== COSIGNATURE_BYTES) return null;
  const time = new DataView(cosignature.buffer, cosignature.byteOffset).getBigUint64(0);
  if (time >= TIME_END) return null;
  return verifyBytes(key, cosignedBytes(text, time), cosignature.subarray(8)) ? time : null;
}

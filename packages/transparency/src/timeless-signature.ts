import { concatBytes, equalBytes, utf8 } from "@fairtick/domain";
import { COSIGNATURE_TYPE, signBytes, verifyBytes, type SignerKey, type VerifierKey } from "./keys.ts";
import type { NoteSignature } from "./note.ts";
import { portableHashes } from "./portable-hashes.ts";

/**
 * What a witness signs of a checkpoint beside its cosignature: the same text without a time. A cosignature is another one
 * each second, so whoever may ask again may choose; of this there is one for each checkpoint, as Ed25519 is deterministic.
 * Made with the same key: no cosigned text begins like this.
 */
const HEADER = "fairtick/timeless/v1\n";
/** Types of signed notes that have no number: 0xff and a name (c2sp.org/signed-note). */
const TYPE = concatBytes(Uint8Array.of(0xff), utf8("fairtick/timeless/v1"));

/** The four bytes before such a signature; `key` is the witness's key of cosignatures. */
function timelessId(key: VerifierKey): Uint8Array {
  return portableHashes.sha256(concatBytes(utf8(`${key.name}\n`), TYPE, key.publicKey)).subarray(0, 4);
}

/** Throws for a key that is no witness's. */
export function signTimeless(text: string, key: SignerKey): NoteSignature {
  if (key.verifier.type !== COSIGNATURE_TYPE) throw new RangeError("a log's key does not cosign");
  const { name } = key.verifier;
  return { name, keyId: timelessId(key.verifier), signature: signBytes(key, utf8(`${HEADER}${text}`)) };
}

/** That witness's line among those of a note; whether it holds is `verifyTimeless`'s question. */
export function findTimeless(signatures: readonly NoteSignature[], key: VerifierKey): NoteSignature | null {
  const id = timelessId(key);
  return signatures.find(({ name, keyId }) => name === key.name && equalBytes(keyId, id)) ?? null;
}

export function verifyTimeless(key: VerifierKey, text: string, signature: Uint8Array): boolean {
  return key.type === COSIGNATURE_TYPE && verifyBytes(key, utf8(`${HEADER}${text}`), signature);
}

import { concatBytes, equalBytes, utf8 } from "@fairtick/domain";
import { COSIGNATURE_TYPE, signBytes, verifyBytes, type SignerKey, type VerifierKey } from "./keys.ts";
import type { NoteSignature } from "./note.ts";
import { portableHashes } from "./portable-hashes.ts";

/**
 * Header of a witness's second signature of a checkpoint, over the same text without a time. A cosignature changes
 * every second, so anyone who can ask for it again could choose one. This signature is unique for each checkpoint,
 * since Ed25519 is deterministic. It is made with the same key, which is safe because no cosigned text begins with this
 * header.
 */
const HEADER = "fairtick/timeless/v1\n";
/** Signature type without a number: 0xff and a name (c2sp.org/signed-note). */
const TYPE = concatBytes(Uint8Array.of(0xff), utf8("fairtick/timeless/v1"));

/**
 * Returns the key id of a witness's timeless signatures (four bytes); `key` is the key that the witness cosigns with.
 */
function timelessId(key: VerifierKey): Uint8Array {
  return portableHashes.sha256(concatBytes(utf8(`${key.name}\n`), TYPE, key.publicKey)).subarray(0, 4);
}

/** Signs a checkpoint's text without a time. Throws RangeError for a key that is not a witness's. */
export function signTimeless(text: string, key: SignerKey): NoteSignature {
  if (key.verifier.type !== COSIGNATURE_TYPE) throw new RangeError("a log's key does not cosign");
  const { name } = key.verifier;
  return { name, keyId: timelessId(key.verifier), signature: signBytes(key, utf8(`${HEADER}${text}`)) };
}

/** Finds a witness's timeless signature in a note without verifying it; `verifyTimeless` does that. */
export function findTimeless(signatures: readonly NoteSignature[], key: VerifierKey): NoteSignature | null {
  const id = timelessId(key);
  return signatures.find(({ name, keyId }) => name === key.name && equalBytes(keyId, id)) ?? null;
}

export function verifyTimeless(key: VerifierKey, text: string, signature: Uint8Array): boolean {
  return key.type === COSIGNATURE_TYPE && verifyBytes(key, utf8(`${HEADER}${text}`), signature);
}

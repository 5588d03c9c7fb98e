import { concatBytes, equalBytes, fromHex, toHex, utf8 } from "@fairtick/domain";
import { ed25519 } from "@noble/curves/ed25519.js";
import { fromBase64, toBase64 } from "./base64.ts";
import { portableHashes } from "./portable-hashes.ts";

/**
 * Algorithm bytes of keys of signed notes (c2sp.org/signed-note): 0x01 for Ed25519 over the text, 0x04 for the
 * timestamped cosignature of a witness (c2sp.org/tlog-cosignature).
 */
export const ED25519_TYPE = 0x01;
export const COSIGNATURE_TYPE = 0x04;
export type KeyType = typeof ED25519_TYPE | typeof COSIGNATURE_TYPE;

export const PUBLIC_KEY_BYTES = 32;
export const SEED_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The public half of a key. `id` is the four bytes that come before a signature. */
export interface VerifierKey {
  readonly name: string;
  readonly type: KeyType;
  readonly id: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The secret half: `seed` is the Ed25519 private key of RFC 8032. */
export interface SignerKey {
  readonly verifier: VerifierKey;
  readonly seed: Uint8Array;
}

/** Calculates a key's id: SHA256(name || 0x0A || type || public key)[0:4]. */
export function keyId(name: string, type: KeyType, publicKey: Uint8Array): Uint8Array {
  return portableHashes.sha256(concatBytes(utf8(name), Uint8Array.of(0x0a, type), publicKey)).subarray(0, 4);
}

/** Returns whether a text can name a key: it is not empty and has no Unicode space, no `+` and no control character. */
export function isKeyName(name: string): boolean {
  return name.length > 0 && !/[+\p{White_Space}\p{Cc}]/u.test(name);
}

/** Makes a verifier key. Throws RangeError for a name that notes can't have or a public key of the wrong length. */
export function verifierKey(name: string, type: KeyType, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new RangeError(`not a key name: ${name}`);
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError("an Ed25519 public key has 32 bytes");
  return { name, type, publicKey, id: keyId(name, type, publicKey) };
}

/** Formats a key as `name+hex(id)+base64(type || public key)`, the form in which `/log/keys` lists keys. */
export function formatVerifierKey(key: VerifierKey): string {
  return `${key.name}+${toHex(key.id)}+${toBase64(concatBytes(Uint8Array.of(key.type), key.publicKey))}`;
}

/** Parses a verifier key; null for other algorithms, an id that is not the key's, and malformed text. */
export function parseVerifierKey(text: string): VerifierKey | null {
  const [name, idText, keyText, ...rest] = splitKey(text);
  if (name === undefined || idText === undefined || keyText === undefined || rest.length > 0) return null;
  const found = parseTyped(keyText, PUBLIC_KEY_BYTES);
  if (found === null || !isKeyName(name)) return null;
  const key = verifierKey(name, found.type, found.bytes);
  return idText === toHex(key.id) ? key : null;
}

/**
 * Makes a signer key from 32 random bytes, which the caller provides. Throws RangeError for a seed of another length.
 */
export function signerKey(name: string, type: KeyType, seed: Uint8Array): SignerKey {
  if (seed.length !== SEED_BYTES) throw new RangeError("an Ed25519 seed has 32 bytes");
  return { verifier: verifierKey(name, type, ed25519.getPublicKey(seed)), seed };
}

/** Formats a key as `PRIVATE+KEY+name+hex(id)+base64(type || seed)`, the form of Go's sumdb/note and its witnesses. */
export function formatSignerKey(key: SignerKey): string {
  const { name, id, type } = key.verifier;
  return `PRIVATE+KEY+${name}+${toHex(id)}+${toBase64(concatBytes(Uint8Array.of(type), key.seed))}`;
}

/** Parses a signer key; null for anything that `formatSignerKey` does not write. */
export function parseSignerKey(text: string): SignerKey | null {
  const [first, second, name, idText, keyText, ...rest] = splitKey(text);
  if (first !== "PRIVATE" || second !== "KEY" || name === undefined || idText === undefined) return null;
  const found = keyText === undefined || rest.length > 0 ? null : parseTyped(keyText, SEED_BYTES);
  if (found === null || !isKeyName(name)) return null;
  const key = signerKey(name, found.type, found.bytes);
  const id = fromHex(idText);
  return id !== null && equalBytes(id, key.verifier.id) ? key : null;
}

export function signBytes(key: SignerKey, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, key.seed);
}

/**
 * Checks a signature by RFC 8032's strict rules, which reject other encodings of a signature and keys of small
 * order. Never throws.
 */
export function verifyBytes(key: VerifierKey, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    return ed25519.verify(signature, message, key.publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** Splits a key's text at its separators. Base 64 can contain `+` too, so only the first ones separate. */
function splitKey(text: string): string[] {
  const parts = text.split("+");
  const fixed = parts[0] === "PRIVATE" ? 4 : 2;
  return [...parts.slice(0, fixed), ...(parts.length > fixed ? [parts.slice(fixed).join("+")] : [])];
}

function parseTyped(text: string, length: number): { type: KeyType; bytes: Uint8Array } | null {
  const bytes = fromBase64(text);
  const type = bytes?.[0];
  if (bytes === null || bytes.length !== length + 1) return null;
  return type === ED25519_TYPE || type === COSIGNATURE_TYPE ? { type, bytes: bytes.subarray(1) } : null;
}

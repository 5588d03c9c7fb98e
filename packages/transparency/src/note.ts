import { concatBytes, equalBytes, utf8 } from "@fairtick/domain";
import { fromBase64, toBase64 } from "./base64.ts";
import { verifyCosignature } from "./cosignature.ts";
import {
  COSIGNATURE_TYPE,
  ED25519_TYPE,
  isKeyName,
  signBytes,
  verifyBytes,
  type SignerKey,
  type VerifierKey,
} from "./keys.ts";

/** One signature line of a signed note (c2sp.org/signed-note). */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  /** The bytes after the key id: 64 for type 0x01, 72 for 0x04, any number for unknown keys. */
  readonly signature: Uint8Array;
}

/** A signed note: a text and one or more signature lines. */
export interface SignedNote {
  /** The text with its last newline, without the blank line that follows. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Why a note is rejected. */
export type NoteFault = "malformed" | "bad-signature" | "unsigned";

export type OpenedNote =
  | { readonly ok: true; readonly text: string; readonly signers: readonly NoteSigner[] }
  | { readonly ok: false; readonly fault: NoteFault };

/** A known key with a valid signature; `time` (seconds since 1970 UTC) for cosignatures, null for others. */
export interface NoteSigner {
  readonly key: VerifierKey;
  readonly time: bigint | null;
  readonly signature: Uint8Array;
}

const SIGNATURES_MAX = 100;
const NOTE_LENGTH_MAX = 1_000_000;

/** Parses a signed note; null for a text with no signature block, control characters or a malformed signature line. */
export function parseNote(note: string): SignedNote | null {
  if (note.length > NOTE_LENGTH_MAX || !isWellFormed(note)) return null;
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) return null;
  const lines = note
    .slice(split + 2)
    .split("\n")
    .slice(0, -1);
  if (lines.length === 0 || lines.length > SIGNATURES_MAX) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignatureLine(line);
    if (signature === null) return null;
    signatures.push(signature);
  }
  return { text: note.slice(0, split + 1), signatures };
}

export function formatNote(note: SignedNote): string {
  return `${note.text}\n${note.signatures.map((each) => `${formatSignatureLine(each)}\n`).join("")}`;
}

/** Formats a signature as `— name base64(key id || signature)`, without a newline. */
export function formatSignatureLine(signature: NoteSignature): string {
  return `— ${signature.name} ${toBase64(concatBytes(signature.keyId, signature.signature))}`;
}

export function parseSignatureLine(line: string): NoteSignature | null {
  const [dash, name, encoded, ...rest] = line.split(" ");
  if (dash !== "—" || name === undefined || encoded === undefined || rest.length > 0 || !isKeyName(name)) return null;
  const bytes = fromBase64(encoded);
  if (bytes === null || bytes.length < 5) return null;
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/**
 * Opens a note and returns which of the known keys signed it. Signatures of unknown keys are ignored, even if only the
 * name or only the id is unknown. The whole note is rejected if a known key's signature is invalid (`bad-signature`) or
 * if there is none (`unsigned`). Of several cosignatures by one witness, the newest counts.
 */
export function openNote(note: string, keys: readonly VerifierKey[]): OpenedNote {
  const parsed = parseNote(note);
  if (parsed === null) return { ok: false, fault: "malformed" };
  const signers: NoteSigner[] = [];
  for (const { name, keyId, signature } of parsed.signatures) {
    const key = keys.find((each) => each.name === name && equalBytes(each.id, keyId));
    if (key === undefined) continue;
    const time = verifySignature(key, parsed.text, signature);
    if (time === undefined) return { ok: false, fault: "bad-signature" };
    const before = signers.findIndex((signer) => signer.key === key);
    if (before < 0) signers.push({ key, time, signature });
    else if ((time ?? 0n) > (signers[before]?.time ?? 0n)) signers[before] = { key, time, signature };
  }
  return signers.length > 0 ? { ok: true, text: parsed.text, signers } : { ok: false, fault: "unsigned" };
}

/** Signs a text with Ed25519 (type 0x01). Throws RangeError for a key of another type or a text invalid in notes. */
export function signNote(text: string, key: SignerKey): NoteSignature {
  if (key.verifier.type !== ED25519_TYPE) throw new RangeError("a cosigner's key does not sign notes");
  if (!text.endsWith("\n") || !isWellFormed(text)) throw new RangeError("a note's text is lines of clean UTF-8");
  return { name: key.verifier.name, keyId: key.verifier.id, signature: signBytes(key, utf8(text)) };
}

/** Returns the time of a valid cosignature, null for a valid plain signature, and undefined for an invalid one. */
function verifySignature(key: VerifierKey, text: string, signature: Uint8Array): bigint | null | undefined {
  if (key.type === COSIGNATURE_TYPE) return verifyCosignature(key, text, signature) ?? undefined;
  return verifyBytes(key, utf8(text), signature) ? null : undefined;
}

/** Returns whether a text has neither lone surrogates, which UTF-8 can't encode, nor control characters but newlines. */
function isWellFormed(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u0009\u000b-\u001f]/.test(text) && !/\p{Cs}/u.test(text);
}

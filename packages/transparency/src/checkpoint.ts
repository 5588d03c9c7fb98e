import { equalBytes, toHex } from "@fairtick/domain";
import { hashFromBase64, toBase64 } from "./base64.ts";
import { parseDecimalText } from "./decimal-text.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, type SignerKey, type VerifierKey } from "./keys.ts";
import { formatNote, openNote, signNote, type NoteFault, type NoteSigner } from "./note.ts";

/** A tree head as in c2sp.org/tlog-checkpoint. Extension lines are rejected, since no one could audit them. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** The keys that a verifier trusts. The person who runs it pins them; they never come from the data being verified. */
export interface LogPolicy {
  readonly origin: string;
  /** Keys of type 0x01 that the log signs checkpoints with. More than one while keys rotate. */
  readonly logKeys: readonly VerifierKey[];
  /** Keys of type 0x04; empty if no witness is trusted. */
  readonly witnessKeys: readonly VerifierKey[];
}

export type CheckpointFault = NoteFault | "not-a-checkpoint" | "other-origin" | "not-signed-by-log";

export type OpenedCheckpoint =
  | {
      readonly ok: true;
      readonly checkpoint: Checkpoint;
      /** The text that was signed: three lines. */
      readonly text: string;
      readonly witnesses: readonly NoteSigner[];
    }
  | { readonly ok: false; readonly fault: CheckpointFault };

export function formatCheckpoint(checkpoint: Checkpoint): string {
  return `${checkpoint.origin}\n${checkpoint.size}\n${toBase64(checkpoint.root)}\n`;
}

/** Returns a short form of the root for two people to compare by eye: sixteen digits in groups of four. */
export function shortRoot({ root }: Pick<Checkpoint, "root">): string {
  return toHex(root.subarray(0, 8)).replaceAll(/(.{4})(?=.)/g, "$1 ");
}

/** Parses a checkpoint's three lines; null for anything else. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin, sizeText, rootText, end, ...rest] = text.split("\n");
  if (origin === undefined || origin === "" || sizeText === undefined || rootText === undefined) return null;
  if (end !== "" || rest.length > 0) return null;
  const size = parseDecimalText(sizeText);
  const root = hashFromBase64(rootText);
  return size === null || root === null ? null : { origin, size, root };
}

/**
 * Returns the parts of a checkpoint's note that people compare: origin, size, and the root's first 16 hexadecimal
 * digits in groups of four. Null for any other text. Signatures are not checked.
 */
export function shortCheckpoint(note: string): { origin: string; size: number; root: string } | null {
  const checkpoint = parseCheckpoint(note.slice(0, note.indexOf("\n\n") + 1));
  if (checkpoint === null) return null;
  const root = toHex(checkpoint.root.subarray(0, 8)).replace(/(....)(?=.)/g, "$1 ");
  return { origin: checkpoint.origin, size: checkpoint.size, root };
}

/** Signs a checkpoint and returns its note, without any witness's cosignature. */
export function signCheckpoint(checkpoint: Checkpoint, key: SignerKey): string {
  const text = formatCheckpoint(checkpoint);
  return formatNote({ text, signatures: [signNote(text, key)] });
}

/**
 * Opens a checkpoint that the policy's log signed, and returns it with the witnesses that cosigned it, one for each public
 * key. `witnesses` may be empty; the caller decides whether they are enough.
 */
export function openCheckpoint(note: string, policy: LogPolicy): OpenedCheckpoint {
  const opened = openNote(note, [...policy.logKeys, ...policy.witnessKeys]);
  if (!opened.ok) return opened;
  const checkpoint = parseCheckpoint(opened.text);
  if (checkpoint === null) return { ok: false, fault: "not-a-checkpoint" };
  if (checkpoint.origin !== policy.origin) return { ok: false, fault: "other-origin" };
  const byLog = opened.signers.some((signer) => signer.key.type === ED25519_TYPE && isOneOf(signer, policy.logKeys));
  if (!byLog) return { ok: false, fault: "not-signed-by-log" };
  const cosigned = opened.signers.filter(
    (signer) => signer.key.type === COSIGNATURE_TYPE && isOneOf(signer, policy.witnessKeys),
  );
  return { ok: true, checkpoint, text: opened.text, witnesses: onePerPublicKey(cosigned, policy.witnessKeys) };
}

/**
 * Leaves one signer for each public key, since several names don't make several witnesses of one: the one that signed last, or
 * the first of the pinned keys if they signed in the same second.
 */
function onePerPublicKey(signers: readonly NoteSigner[], pinned: readonly VerifierKey[]): NoteSigner[] {
  const rank = (signer: NoteSigner) => pinned.findIndex((key) => isOneOf(signer, [key]));
  const isBefore = (one: NoteSigner, other: NoteSigner) =>
    one.time === other.time ? rank(one) < rank(other) : (one.time ?? 0n) > (other.time ?? 0n);
  return signers.filter(
    (signer) =>
      !signers.some((other) => equalBytes(other.key.publicKey, signer.key.publicKey) && isBefore(other, signer)),
  );
}

/** Returns the larger of the kept and the examined checkpoint. With concurrent verifications it can be the kept one. */
export function largerCheckpoint(kept: string | null, examined: string, policy: LogPolicy): string {
  const [before, now] = [kept === null ? null : openCheckpoint(kept, policy), openCheckpoint(examined, policy)];
  const isLarger = before?.ok === true && now.ok && before.checkpoint.size > now.checkpoint.size;
  return isLarger && kept !== null ? kept : examined;
}

function isOneOf(signer: NoteSigner, keys: readonly VerifierKey[]): boolean {
  return keys.some((key) => key.name === signer.key.name && equalBytes(key.id, signer.key.id));
}

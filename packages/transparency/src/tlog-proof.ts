import { verifyMerklePath, type Hashes } from "@fairtick/domain";
import { fromBase64, hashFromBase64, toBase64 } from "./base64.ts";
import { openCheckpoint, type Checkpoint, type CheckpointFault, type LogPolicy } from "./checkpoint.ts";
import { PROOF_HASHES_MAX } from "./consistency.ts";
import { parseDecimalText } from "./decimal-text.ts";
import type { NoteSigner } from "./note.ts";

/** A proof that an entry is in a log, which can be verified without the log. Its text format is c2sp.org/tlog-proof. */
export interface TlogProof {
  readonly index: number;
  readonly path: readonly Uint8Array[];
  /** The signed note as the log publishes it, cosignatures included. */
  readonly checkpoint: string;
  /** Not bound by any hash or signature, so it proves nothing. */
  readonly extra?: Uint8Array;
}

const HEADER = "c2sp.org/tlog-proof@v1";

export type VerifiedProof =
  | {
      readonly ok: true;
      readonly index: number;
      readonly checkpoint: Checkpoint;
      readonly witnesses: readonly NoteSigner[];
    }
  | { readonly ok: false; readonly fault: CheckpointFault | "not-a-proof" | "not-included" };

export function formatTlogProof(proof: TlogProof): string {
  const extra = proof.extra === undefined ? [] : [`extra ${toBase64(proof.extra)}`];
  const lines = [HEADER, ...extra, `index ${proof.index}`, ...proof.path.map(toBase64), "", proof.checkpoint];
  return lines.join("\n");
}

/** Parses a proof; null if it is malformed. The checkpoint is not verified. */
export function parseTlogProof(text: string): TlogProof | null {
  const split = text.indexOf("\n\n");
  if (split < 0) return null;
  const [header, ...lines] = text.slice(0, split).split("\n");
  if (header !== HEADER) return null;
  let extra: Uint8Array | undefined;
  if (lines[0]?.startsWith("extra ") === true) {
    extra = fromBase64(lines[0].slice("extra ".length)) ?? undefined;
    if (extra === undefined) return null;
    lines.shift();
  }
  const indexLine = lines.shift();
  const index = indexLine?.startsWith("index ") === true ? parseDecimalText(indexLine.slice("index ".length)) : null;
  if (index === null || lines.length > PROOF_HASHES_MAX) return null;
  const path: Uint8Array[] = [];
  for (const line of lines) {
    const hash = hashFromBase64(line);
    if (hash === null) return null;
    path.push(hash);
  }
  const checkpoint = text.slice(split + 2);
  return { index, path, checkpoint, ...(extra !== undefined && { extra }) };
}

/** Verifies that the policy's log signed a tree that has `entry` at the proof's index. */
export function verifyTlogProof(hashes: Hashes, text: string, entry: Uint8Array, policy: LogPolicy): VerifiedProof {
  const proof = parseTlogProof(text);
  if (proof === null) return { ok: false, fault: "not-a-proof" };
  const opened = openCheckpoint(proof.checkpoint, policy);
  if (!opened.ok) return opened;
  const { size, root } = opened.checkpoint;
  const { index, path } = proof;
  if (!verifyMerklePath(hashes, { entry, index, size, path, root })) return { ok: false, fault: "not-included" };
  return { ok: true, index, checkpoint: opened.checkpoint, witnesses: opened.witnesses };
}

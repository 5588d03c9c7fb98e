import { equalBytes, type Hashes } from "@fairtick/domain";
import { hashFromBase64, toBase64 } from "./base64.ts";
import { openCheckpoint, parseCheckpoint, type LogPolicy } from "./checkpoint.ts";
import { PROOF_HASHES_MAX, verifyConsistency } from "./consistency.ts";
import { verifyCosignature } from "./cosignature.ts";
import { parseDecimalText } from "./decimal-text.ts";
import type { VerifierKey } from "./keys.ts";
import { formatSignatureLine, parseNote, parseSignatureLine, type NoteSignature } from "./note.ts";

/**
 * What a witness remembers about a log by the rules of c2sp.org/tlog-witness: the last tree that it cosigned. It
 * cosigns only trees that extend that one, so a log that forks or rolls back gets no cosignature.
 */
export interface WitnessState {
  readonly size: number;
  readonly root: Uint8Array;
}

/** The body of `POST add-checkpoint`. */
export interface AddCheckpoint {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  /** The signed note. */
  readonly checkpoint: string;
}

/**
 * What a witness does with a request, by HTTP status. 200: store `state` durably, then reply with a cosignature of
 * `text`. 409 with `size`: the client was wrong about the last cosigned size, which is `size`. 409 without: two roots
 * of one size, which is a fork. 400: malformed. 403: not signed by the log. 404: the witness doesn't watch this log.
 * 422: the proof is invalid, which means a fork or a rollback.
 */
export type WitnessDecision =
  | { readonly status: 200; readonly origin: string; readonly state: WitnessState; readonly text: string }
  | { readonly status: 409; readonly size: number | null }
  | { readonly status: 400 | 403 | 404 | 422 };

/** The content type of a 409 reply with the size. */
export const WITNESS_SIZE_TYPE = "text/x.tlog.size";

export function formatAddCheckpoint(request: AddCheckpoint): string {
  return [`old ${request.oldSize}`, ...request.proof.map(toBase64), "", request.checkpoint].join("\n");
}

/** Parses a request; null for a malformed one (400). The checkpoint is not verified. */
export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  const split = body.indexOf("\n\n");
  if (split < 0) return null;
  const [first, ...lines] = body.slice(0, split).split("\n");
  const oldSize = first?.startsWith("old ") === true ? parseDecimalText(first.slice("old ".length)) : null;
  if (oldSize === null || lines.length > PROOF_HASHES_MAX) return null;
  const proof: Uint8Array[] = [];
  for (const line of lines) {
    const hash = hashFromBase64(line);
    if (hash === null) return null;
    proof.push(hash);
  }
  return { oldSize, proof, checkpoint: body.slice(split + 2) };
}

/**
 * Decides what a witness does with a request. `stateOf` returns the stored state for an origin (null if none). Reading
 * it and storing the new state must be one atomic step, or two concurrent requests could roll the state back.
 */
export function decideAddCheckpoint(
  hashes: Hashes,
  body: string,
  logs: readonly Pick<LogPolicy, "origin" | "logKeys">[],
  stateOf: (origin: string) => WitnessState | null,
): WitnessDecision {
  const request = parseAddCheckpoint(body);
  const note = request === null ? null : parseNote(request.checkpoint);
  const claimed = note === null ? null : parseCheckpoint(note.text);
  if (request === null || claimed === null) return { status: 400 };
  const log = logs.find((each) => each.origin === claimed.origin);
  if (log === undefined) return { status: 404 };
  const opened = openCheckpoint(request.checkpoint, { ...log, witnessKeys: [] });
  if (!opened.ok) return { status: 403 };
  const { size, root } = opened.checkpoint;
  if (request.oldSize > size) return { status: 400 };
  const state = stateOf(log.origin) ?? { size: 0, root: hashes.sha256(new Uint8Array(0)) };
  if (request.oldSize !== state.size) return { status: 409, size: state.size };
  if (size === state.size && !equalBytes(root, state.root)) return { status: 409, size: null };
  const { proof } = request;
  const claim = { oldSize: state.size, oldRoot: state.root, newSize: size, newRoot: root, proof };
  if (!verifyConsistency(hashes, claim)) return { status: 422 };
  return { status: 200, origin: log.origin, state: { size, root }, text: opened.text };
}

/** Formats the body of a 200 reply: one line for each signature. */
export function formatCosignatures(cosignatures: readonly NoteSignature[]): string {
  return cosignatures.map((each) => `${formatSignatureLine(each)}\n`).join("");
}

/** Returns the valid cosignatures of known witnesses from the body of a 200 reply; all others are ignored. */
export function readCosignatures(body: string, text: string, keys: readonly VerifierKey[]): NoteSignature[] {
  const kept: NoteSignature[] = [];
  for (const line of body.split("\n")) {
    const signature = line === "" ? null : parseSignatureLine(line);
    if (signature === null) continue;
    const key = keys.find((each) => each.name === signature.name && equalBytes(each.id, signature.keyId));
    if (key !== undefined && verifyCosignature(key, text, signature.signature) !== null) kept.push(signature);
  }
  return kept;
}

import {
  batchRoot,
  canonicalJson,
  concatBytes,
  type Hashes,
  merklePathRoot,
  orderCommitment,
  type Points,
  sealOf,
  termsHash,
  termsJson,
  toHex,
  utf8,
} from "@fairtick/domain";
import { verifyBatchRoot } from "./acceptance.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { PROOF_HASHES_MAX } from "./consistency.ts";
import { signBytes, verifyBytes, type SignerKey, type VerifierKey } from "./keys.ts";
import {
  base64,
  count,
  demand,
  hash,
  instant,
  keyId,
  listOf,
  nonce,
  nullOr,
  oneOf,
  parseCanonical,
  record,
  ShapeError,
  symbol,
  text,
  whole,
  type Read,
} from "./shape.ts";

/**
 * A witness's board holds reveals that members posted there because the house did not acknowledge them. It keeps a
 * house from ignoring a reveal and then settling the order as never revealed.
 */

/**
 * What a device posts: the acceptance that the house signed, and what opens its seal. The member stays secret (`own`).
 */
const postingShape = record({
  /** Number of orders in the batch; its other commitments are refusals. */
  accepted: count,
  acceptedAt: instant,
  batch: count,
  count,
  direction: oneOf("up", "down"),
  duration: count,
  /** Id of the acceptance key that signed the root. */
  key: keyId,
  limitPrice: nullOr(whole),
  /** The nonce of the terms. */
  nonce,
  /** Hash of the private part. */
  own: hash,
  path: listOf(hash, PROOF_HASHES_MAX),
  place: count,
  sealNonce: hash,
  /** The house's signature over the batch root. */
  signature: base64,
  symbol,
  v: oneOf(1),
});
export type Posting = Omit<Read<typeof postingShape>, "v">;

/** Length of the longest posting, in bytes: 63 hashes and the other fields. */
export const POSTING_BYTES_MAX = 6_000;

/** The most lines that a board returns at once. A reader who gets this many must ask for more. */
export const BOARD_LINES_MAX = 200;

/** Formats a posting as canonical JSON, the body of `POST /reveal`. */
export function formatPosting(posting: Posting): string {
  const { acceptedAt, nonce: termsNonce, own, path, sealNonce, signature, ...plain } = posting;
  const bytes = { nonce: toHex(termsNonce), own: toHex(own), path: path.map(toHex), sealNonce: toHex(sealNonce) };
  return canonicalJson({ ...plain, ...bytes, acceptedAt, signature: toBase64(signature), v: 1 });
}

/** Parses a posting; null for any text that is not exactly what `formatPosting` writes. */
export function parsePosting(posted: string): Posting | null {
  try {
    const { v: _v, ...posting } = postingShape(parseCanonical(utf8(posted)), "posting");
    return posting;
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** The hashes that follow from a posting, 32 bytes each. */
export interface PostedHashes {
  readonly seal: Uint8Array;
  readonly commitment: Uint8Array;
  /** The batch's root; null if the path does not fit the place and count, or no batch can be that large. */
  readonly root: Uint8Array | null;
}

/** Calculates seal, commitment and root from a posting. */
export function hashPosting(hashes: Hashes, posting: Posting): PostedHashes {
  const { direction, symbol: instrument, duration: durationSeconds, place: index, path } = posting;
  const limitPrice = posting.limitPrice as Points | null;
  const seal = sealOf(hashes, posting.sealNonce, { direction, limitPrice });
  const terms = termsJson({ symbol: instrument, durationSeconds, direction: null, limitPrice: null, seal });
  const commitment = orderCommitment(hashes, termsHash(hashes, posting.nonce, terms), posting.own);
  const top = merklePathRoot(hashes, { entry: commitment, index, size: posting.count, path });
  const { batch, acceptedAt, accepted } = posting;
  // The root has the number in four bytes, and a line may say anything.
  const root = accepted < 2 ** 32 ? top && batchRoot(hashes, BigInt(batch), acceptedAt, accepted, top) : null;
  return { seal, commitment, root };
}

/**
 * Checks that a posting opens an order that the house accepted: its seal and terms must lead to a root that one of the
 * acceptance keys signed.
 *
 * @returns null if it does; else `unknown-key`, `refused` (its place is among the refusals) or `signature`
 */
export function checkPosting(
  hashes: Hashes,
  acceptanceKeys: readonly VerifierKey[],
  posting: Posting,
): "unknown-key" | "refused" | "signature" | null {
  const key = acceptanceKeys.find(({ id }) => toHex(id) === posting.key);
  if (key === undefined) return "unknown-key";
  if (posting.place >= posting.accepted) return "refused";
  const { root } = hashPosting(hashes, posting);
  return root !== null && verifyBatchRoot(key, root, posting.signature) ? null : "signature";
}

/** A reveal as a board shows it. */
export interface BoardReveal {
  /** Name of the witness's key. */
  readonly witness: string;
  /** Its number on the board, from 0. */
  readonly n: number;
  /** When the witness received it, ms by its own clock. */
  readonly at: bigint;
  readonly posting: Posting;
}

const BOARD_SIGNED = utf8("BOARD1/signed\0");
const recordShape = record({ at: instant, n: count, posting: text, v: oneOf(1) });
const lineShape = record({ record: text, signature: text });

/**
 * Formats a line of a board: the posting with number and time, signed by the witness over "BOARD1/signed\0" || record.
 */
export function formatBoardLine(key: SignerKey, n: number, at: bigint, posted: string): string {
  const told = canonicalJson({ at, n, posting: posted, v: 1 });
  const signature = signBytes(key, concatBytes(BOARD_SIGNED, utf8(told)));
  return canonicalJson({ record: told, signature: toBase64(signature) });
}

/**
 * Parses a line of a board. Returns null if none of the keys signed it or it has no valid posting; such a line is
 * ignored. It does not check whether the posting opens an accepted order: `checkPosting` does, or a caller who knows
 * the batch's commitments.
 */
export function readBoardLine(line: string, witnessKeys: readonly VerifierKey[]): BoardReveal | null {
  try {
    const { record: told, signature } = lineShape(parseCanonical(utf8(line)), "line");
    const bytes = utf8(told);
    const signed = fromBase64(signature);
    demand(signed !== null, "line.signature is no base 64");
    const message = concatBytes(BOARD_SIGNED, bytes);
    const key = witnessKeys.find((each) => signed !== null && verifyBytes(each, message, signed));
    if (key === undefined) return null;
    const { at, n, posting: posted } = recordShape(parseCanonical(bytes), "record");
    const posting = parsePosting(posted);
    return posting && { witness: key.name, n, at, posting };
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/**
 * How long after a reveal was posted the house may still settle the order as unrevealed, ms. It reads the boards every
 * few seconds.
 */
export const BOARD_GRACE_MS = 60_000n;

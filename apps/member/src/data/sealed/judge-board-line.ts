import { formatPosting, parseVerifierKey, readBoardLine, type VerifierKey } from "@fairtick/transparency";
import type { Posting } from "./shelf.ts";

/** Judges what a witness's board answers. Used by page and service worker. */

/**
 * Returns whether one of the witnesses signed that its board has exactly this posting. Only that is evidence of a reveal,
 * and a board may be the house's own.
 */
export function isTakenBy(witnesses: readonly VerifierKey[], line: string, { body }: Posting): boolean {
  const read = readBoardLine(line, witnesses);
  return read !== null && formatPosting(read.posting) === body;
}

/** Returns the witnesses' keys that were stored with a posting. */
export function keptWitnesses({ witnesses = [] }: Posting): readonly VerifierKey[] {
  return witnesses.flatMap((line) => parseVerifierKey(line) ?? []);
}

/**
 * Judges by what the page stored with the posting, because the service worker can't read the pinned keys. What an older
 * version stored has no keys, and its lines are judged when the order is settled.
 */
export function isTakenAsKept(line: string, posting: Posting): boolean {
  return posting.witnesses === undefined || isTakenBy(keptWitnesses(posting), line, posting);
}

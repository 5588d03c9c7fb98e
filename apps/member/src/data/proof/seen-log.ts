import { largerCheckpoint, type VerifierPolicy } from "@fairtick/transparency";
import { readStored, store } from "../../shared/storage.ts";

/**
 * Returns the newest checkpoint that this device saw. Read it before fetching the log's own: another tab may store a
 * newer one in the meantime, and then the fetched one isn't a rollback.
 */
export function seenLog(): string | null {
  return readStored("fairtickSeenLog");
}

/** Stores a valid checkpoint, unless another tab has stored a larger one since. */
export function keepSeenLog(note: string, policy: VerifierPolicy): void {
  store("fairtickSeenLog", largerCheckpoint(readStored("fairtickSeenLog"), note, policy));
}

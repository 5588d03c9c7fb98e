import { largerCheckpoint, type VerifierPolicy } from "@fairtick/transparency";
import { readStored, store } from "../../shared/storage.ts";

/**
 * The newest checkpoint that this device saw. To be read before the log's own is fetched: another tab may see a newer one
 * meanwhile, and the older one is no rollback then.
 */
export function seenLog(): string | null {
  return readStored("fairtickSeenLog");
}

/** Keeps a checkpoint that holds, unless another tab has kept a larger one since. */
export function keepSeenLog(note: string, policy: VerifierPolicy): void {
  store("fairtickSeenLog", largerCheckpoint(readStored("fairtickSeenLog"), note, policy));
}

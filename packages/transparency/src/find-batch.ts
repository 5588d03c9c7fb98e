import { batchRoot, concatBytes, equalBytes, type Hashes, type Instant, merkleTreeOfHashes } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { openHeldEntries } from "./held-entries.ts";
import { parseLogEntry } from "./log-entry.ts";
import type { AcceptEntry } from "./order-entry.ts";
import type { LogReader } from "./tile-tree.ts";

/** The most files of 256 entries that are read. */
const BUNDLES_MAX = 64;
/** How late a batch may enter the log, ms: no entry before it may have a moment more than this after its acceptance. */
const LATE_MS = 30_000n;

/**
 * Result of looking for a batch whose root a device received. `ok`: the log has it; `other`: the log has another batch
 * with that number; `missing`: it has none; `unread`: too many entries came after it to be read.
 */
export type FoundBatch = "ok" | "other" | "missing" | "unread";

/**
 * Searches the log backwards for a batch, and checks every entry read against the checkpoint's tree. Rejects with
 * LogFileError for files that are missing or don't belong to that tree.
 *
 * @param checkpoint Signed and sufficiently cosigned, and newer than the batch by more than the log may take to write
 *   it
 * @param answered The batch's number, its time (ms) and its signed root, from a refusal or an acceptance
 */
export async function findBatch(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  answered: { readonly batch: number; readonly at: Instant; readonly root: Uint8Array },
): Promise<FoundBatch> {
  const held = openHeldEntries(hashes, reader, checkpoint);
  for (let bundle = held.bundles - 1; bundle >= 0; bundle -= 1) {
    if (held.bundles - bundle > BUNDLES_MAX) return "unread";
    let isBefore = false;
    for (const bytes of await held.read(bundle)) {
      const parsed = parseLogEntry(bytes);
      if (!parsed.ok || parsed.entry.kind !== "orders.accept") continue;
      const { entry } = parsed;
      if (entry.batch === answered.batch) return equalBytes(rootOf(hashes, entry), answered.root) ? "ok" : "other";
      isBefore ||= entry.acceptedAt < answered.at - LATE_MS;
    }
    if (isBefore) return "missing";
  }
  return "missing";
}

function rootOf(hashes: Hashes, { batch, acceptedAt, commitments, refusals }: AcceptEntry): Uint8Array {
  const { root } = merkleTreeOfHashes(hashes, concatBytes(commitments, refusals));
  return batchRoot(hashes, BigInt(batch), acceptedAt, commitments.length / 32, root);
}

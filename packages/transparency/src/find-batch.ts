import { batchRoot, concatBytes, equalBytes, type Hashes, type Instant, merkleTreeOfHashes } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { openHeldEntries } from "./held-entries.ts";
import { parseLogEntry } from "./log-entry.ts";
import type { AcceptEntry } from "./order-entry.ts";
import type { LogReader } from "./tile-tree.ts";

/** Files of 256 entries that are read at most. */
const BUNDLES_MAX = 64;
/** A batch stands in the log before any entry that tells of a moment later than this after it. */
const LATE_MS = 30_000n;

/**
 * What the log says of a batch whose root a device was answered: `ok`; `other`, the log has another batch of that number;
 * `missing`, none at all; `unread`, too much came after.
 */
export type FoundBatch = "ok" | "other" | "missing" | "unread";

/**
 * Looks for a batch from the log's end backwards, every entry held against the tree. The checkpoint must count, and be newer than the batch
 * by more than the log may take to write it. Rejects with LogFileError for files that are missing or not of that tree.
 *
 * @param answered The batch's number, its time (ms) and its signed root, as a refusal or an acceptance names them
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

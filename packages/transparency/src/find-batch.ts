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
 * with that number; `reasons`: the log has it, but counts fewer refusals for a reason than were signed; `missing`: it
 * has none; `unread`: too many entries came after it to be read.
 */
export type FoundBatch = "ok" | "other" | "reasons" | "missing" | "unread";

/** What a device knows of a batch from signed answers. */
export interface AnsweredBatch {
  readonly batch: number;
  /** Time of the batch, ms. */
  readonly at: Instant;
  /** The signed root. */
  readonly root: Uint8Array;
  /**
   * Reasons of the signed refusals in this batch, each as often as it was given. The root doesn't commit to the counts of
   * reasons in the entry, so only those who were refused can check them.
   */
  readonly reasons?: readonly string[];
}

/**
 * Searches the log backwards for a batch, and checks every entry read against the checkpoint's tree. Rejects with
 * LogFileError for files that are missing or don't belong to that tree.
 *
 * @param checkpoint Signed and sufficiently cosigned, and newer than the batch by more than the log may take to write
 *   it
 * @param answered From refusals or an acceptance
 */
export async function findBatch(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  answered: AnsweredBatch,
): Promise<FoundBatch> {
  const held = openHeldEntries(hashes, reader, checkpoint);
  for (let bundle = held.bundles - 1; bundle >= 0; bundle -= 1) {
    if (held.bundles - bundle > BUNDLES_MAX) return "unread";
    let isBefore = false;
    for (const bytes of await held.read(bundle)) {
      const parsed = parseLogEntry(bytes);
      if (!parsed.ok || parsed.entry.kind !== "orders.accept") continue;
      const { entry } = parsed;
      if (entry.batch === answered.batch) return compareBatch(hashes, entry, answered);
      isBefore ||= entry.acceptedAt < answered.at - LATE_MS;
    }
    if (isBefore) return "missing";
  }
  return "missing";
}

function compareBatch(hashes: Hashes, entry: AcceptEntry, { root, reasons = [] }: AnsweredBatch): FoundBatch {
  if (!equalBytes(rootOf(hashes, entry), root)) return "other";
  const given = Map.groupBy(reasons, (reason) => reason);
  const isCounted = [...given].every(([reason, each]) => (entry.reasons.get(reason) ?? 0) >= each.length);
  return isCounted ? "ok" : "reasons";
}

function rootOf(hashes: Hashes, { batch, acceptedAt, commitments, refusals }: AcceptEntry): Uint8Array {
  const { root } = merkleTreeOfHashes(hashes, concatBytes(commitments, refusals));
  return batchRoot(hashes, BigInt(batch), acceptedAt, commitments.length / 32, root);
}

import { verifyMerklePath, type Hashes } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { parseLogEntry, type LogEntryKind, type LogEntryOf } from "./log-entry.ts";
import type { Why } from "./proof-check.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import { LogFileError, openTileTree, readEntries, type LogReader } from "./tile-tree.ts";

/** The log as a public proof reads it: single entries, each verified to be in the checkpoint's tree. */
export interface ProofLog {
  /**
   * Reads an entry and verifies that it is in the tree; returns why if it doesn't exist or has another kind. Rejects
   * with LogFileError if it isn't in the tree.
   */
  find<Kind extends LogEntryKind>(index: number, kind: Kind): Promise<Why | { readonly entry: LogEntryOf<Kind> }>;
  /** Reads a file of the log, null if it doesn't exist. */
  read(path: string): Promise<Uint8Array | null>;
  hash(bytes: Uint8Array): Uint8Array;
}

/** Opens the log in the tree of a checkpoint whose signatures the caller must have checked. */
export function openProofLog(hashes: Hashes, reader: LogReader, { size, root }: Checkpoint): ProofLog {
  const tree = openTileTree(hashes, reader, size);
  return {
    read: (path) => reader.read(path),
    hash: (bytes) => hashes.sha256(bytes),
    async find(index, kind) {
      if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
        return { why: { code: "noEntry", entry: index } };
      }
      const entries = await readEntries(reader, size, Math.floor(index / TILE_WIDTH));
      const bytes = entries[index % TILE_WIDTH] ?? new Uint8Array();
      const path = await tree.inclusionProof(index);
      if (!verifyMerklePath(hashes, { entry: bytes, index, size, path, root })) {
        throw new LogFileError(`entry ${index}`, "is not in the checkpoint's tree");
      }
      const parsed = parseLogEntry(bytes);
      if (!parsed.ok || parsed.entry.kind !== kind) {
        return { why: { code: "otherKind", entry: index } };
      }
      return { entry: parsed.entry as LogEntryOf<typeof kind> };
    },
  };
}

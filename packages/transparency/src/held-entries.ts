import { equalBytes, type Hashes, merkleLeaf, verifyMerklePath } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import { LogFileError, openTileTree, readEntries, type LogReader } from "./tile-tree.ts";

/** Reads bundles of 256 entries and checks each against a checkpoint's tree. */
export interface HeldEntries {
  /** Number of bundles in the tree. */
  readonly bundles: number;
  /**
   * Returns the entries of a bundle. Rejects with LogFileError for files that are missing or don't belong to that tree.
   */
  read(bundle: number): Promise<readonly Uint8Array[]>;
}

/** Opens the entries of a checkpoint. The caller must have checked its signature and cosignatures. */
export function openHeldEntries(hashes: Hashes, reader: LogReader, { size, root }: Checkpoint): HeldEntries {
  const tree = openTileTree(hashes, reader, size);
  return {
    bundles: Math.ceil(size / TILE_WIDTH),
    async read(bundle) {
      const from = bundle * TILE_WIDTH;
      const entries = await readEntries(reader, size, bundle);
      // One inclusion proof depends on all other hashes of the tile, so it verifies the whole tile.
      const path = await tree.inclusionProof(from);
      const holds = verifyMerklePath(hashes, { entry: entries[0] ?? new Uint8Array(), index: from, size, path, root });
      if (!holds) throw new LogFileError(`entry ${from}`, "is not in the checkpoint's tree");
      for (const [place, bytes] of entries.entries()) {
        const index = from + place;
        if (!equalBytes(merkleLeaf(hashes, bytes), await tree.leaf(index)))
          throw new LogFileError(`entry ${index}`, "is not in the checkpoint's tree");
      }
      return entries;
    },
  };
}

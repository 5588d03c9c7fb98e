import { equalBytes, type Hashes, merkleLeaf, verifyMerklePath } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import { LogFileError, openTileTree, readEntries, type LogReader } from "./tile-tree.ts";

/** Reads bundles of 256 entries and checks each against a checkpoint's tree. */
export interface HeldEntries {
  /** How many bundles the tree has. */
  readonly bundles: number;
  /** The entries of a bundle. Rejects with LogFileError for files that are missing or not of that tree. */
  read(bundle: number): Promise<readonly Uint8Array[]>;
}

/** Opens the entries of a checkpoint. The caller has made sure that the checkpoint counts. */
export function openHeldEntries(hashes: Hashes, reader: LogReader, { size, root }: Checkpoint): HeldEntries {
  const tree = openTileTree(hashes, reader, size);
  return {
    bundles: Math.ceil(size / TILE_WIDTH),
    async read(bundle) {
      const from = bundle * TILE_WIDTH;
      const entries = await readEntries(reader, size, bundle);
      // One way to the root is made of all the tile's other hashes, so it holds them all.
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

import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { formatTlogProof, openTileTree, readRotations, type Rotation, ROTATIONS_PATH } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import type { LogFiles } from "./log-files.ts";

export interface RotationsFile {
  /** Notes that a `key.rotate` entry got its place. */
  entryPlaced(): void;
  /** Stores a proof of each new entry, taken from the checkpoint that was just published with `size` entries. */
  update(note: string, size: number): Promise<void>;
}

/**
 * Keeps the public proofs by which a verifier that pinned an older key can trust the newer ones. Each proof is taken from the
 * first checkpoint that contains the entry and is kept forever: the older key signed that checkpoint, but stops signing soon.
 */
export function createRotationsFile(database: Queryable, files: LogFiles): RotationsFile {
  let isDue = true;

  return {
    entryPlaced() {
      isDue = true;
    },
    async update(note, size) {
      if (!isDue) return;
      const filed = await readRotations(files);
      const rows = await database.query<{ log_index: bigint; entry: string }>(
        `SELECT l.log_index, o.entry FROM log_entries l JOIN outbox o USING (outbox_id)
         WHERE l.kind = 'key.rotate' ORDER BY l.log_index`,
      );
      const missing = rows.filter(({ entry }) => !filed.some((one) => one.entry === entry));
      const ready = missing.filter(({ log_index: index }) => index < size);
      const tree = openTileTree(nodeHashes, files, size);
      const fresh: Rotation[] = [];
      for (const { log_index: at, entry } of ready) {
        const index = Number(at);
        const path = await tree.inclusionProof(index);
        fresh.push({ entry, proof: formatTlogProof({ index, path, checkpoint: note }) });
      }
      if (fresh.length > 0) {
        await files.store([{ path: ROTATIONS_PATH, bytes: utf8(JSON.stringify([...filed, ...fresh])) }]);
      }
      isDue = ready.length < missing.length;
    },
  };
}

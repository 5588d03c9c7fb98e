import { toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { formatTlogProof, type LogReader, openTileTree, type TileTree } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { readPublication } from "../log/index.ts";

/**
 * An entry with the proof that it is in the published log. The proof is null until a checkpoint that counts contains
 * it.
 */
export interface LoggedEntry {
  readonly entry: string;
  readonly proof: string | null;
}

interface PlacedEntry {
  readonly log_index: bigint;
  readonly entry: string;
}

/** Finds entries by their kind and number, with their proofs, all for the one checkpoint that is published now. */
export interface LoggedEntries {
  find(kind: string, number: bigint, about?: string): Promise<LoggedEntry | null>;
  /** Finds, among entries with the same number, the one for which `holds` returns true. */
  findWhere(kind: string, number: bigint, holds: (entry: string) => boolean): Promise<LoggedEntry | null>;
  /** Finds the last entry whose number is at most this one. */
  findNotAfter(kind: string, number: bigint, about?: string): Promise<LoggedEntry | null>;
  /** Finds a configuration's entry that is written but has no place in the log yet. */
  findUnplacedConfig(version: number): Promise<LoggedEntry | null>;
  findParams(hash: Uint8Array): Promise<LoggedEntry | null>;
}

export async function openLoggedEntries(database: Queryable, files: LogReader): Promise<LoggedEntries> {
  const published = await readPublication(database);
  const tree: TileTree | null =
    published === null || published.size === 0 ? null : openTileTree(nodeHashes, files, published.size);

  async function prove({ log_index: place, entry }: PlacedEntry): Promise<LoggedEntry> {
    const index = Number(place);
    if (published === null || tree === null || index >= tree.size) return { entry, proof: null };
    const path = await tree.inclusionProof(index);
    return { entry, proof: formatTlogProof({ index, path, checkpoint: published.note }) };
  }

  const named = (kind: string, number: bigint, about: string) =>
    database.query<PlacedEntry>(
      `SELECT l.log_index, o.entry FROM log_entries l JOIN outbox o USING (outbox_id)
       WHERE l.kind = $1 AND l.about = $2 AND l.number = $3 ORDER BY l.log_index`,
      [kind, about, number],
      "receipt_entry",
    );

  return {
    async find(kind, number, about = "") {
      const [first] = await named(kind, number, about);
      return first === undefined ? null : prove(first);
    },
    async findWhere(kind, number, holds) {
      const found = (await named(kind, number, "")).find(({ entry }) => holds(entry));
      return found === undefined ? null : prove(found);
    },
    async findNotAfter(kind, number, about = "") {
      const [last] = await database.query<PlacedEntry>(
        `SELECT l.log_index, o.entry FROM log_entries l JOIN outbox o USING (outbox_id)
         WHERE l.kind = $1 AND l.about = $3 AND l.number <= $2 ORDER BY l.number DESC LIMIT 1`,
        [kind, number, about],
        "receipt_entry_before",
      );
      return last === undefined ? null : prove(last);
    },
    async findUnplacedConfig(version) {
      const [row] = await database.query<{ entry: string }>(
        `SELECT entry FROM outbox WHERE kind = 'config' AND outbox_id > (SELECT decided_through FROM log_writer)
           AND (entry::json ->> 'version')::bigint = $1 LIMIT 1`,
        [version],
        "receipt_config_waiting",
      );
      return row === undefined ? null : { entry: row.entry, proof: null };
    },
    async findParams(hash) {
      const found = (await named("params", 0n, "")).find(
        ({ entry }) => toHex(nodeHashes.sha256(utf8(entry))) === toHex(hash),
      );
      return found === undefined ? null : prove(found);
    },
  };
}

import { createHash } from "node:crypto";
import { type Config, ConfigError } from "../../platform/config.ts";
import type { Database, Queryable } from "../../platform/database.ts";

/** The keys of one purpose that a process found in its data folder or its settings. */
export interface HeldKeys {
  /** The keys' purpose: `log`, `slots`, `files`, … */
  readonly name: string;
  /** Fingerprints of the keys; more than one while keys rotate. */
  readonly fingerprints: readonly string[];
}

/** Returns the SHA-256 of a public key's text, or of a secret key's bytes, in hexadecimal. */
export function fingerprintOf(key: string | Uint8Array): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * Compares this process's keys with the fingerprints in the database, and stores new ones. For each name, the first process
 * decides which keys are known. Throws a `ConfigError` if the database knows keys of a name and this process has none of them,
 * unless `ADOPT_DATA_DIR` says that the folder with these keys is lost.
 */
export async function holdKeys(
  database: Database,
  config: Pick<Config, "dataDir" | "adoptDataDir">,
  held: readonly HeldKeys[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    // If two processes start for the first time at once, only one of them decides.
    await transaction.query("SELECT pg_advisory_xact_lock(hashtext('house keys'))");
    const known = await readKnown(transaction);
    const foreign = held.filter(({ name, fingerprints }) => {
      const those = known.get(name);
      return those !== undefined && !fingerprints.some((each) => those.has(each));
    });
    const names = foreign.map(({ name }) => name);
    if (names.length > 0 && !config.adoptDataDir) throw new ConfigError(foreignFolder(config.dataDir, names));
    await transaction.query("UPDATE house_keys SET given_up_at = now() WHERE name = ANY ($1) AND given_up_at IS NULL", [
      names,
    ]);
    for (const { name, fingerprints } of held) {
      await transaction.query(
        `INSERT INTO house_keys (name, fingerprint) SELECT $1, unnest($2::text[])
         ON CONFLICT (name, fingerprint) DO UPDATE SET given_up_at = NULL`,
        [name, fingerprints],
      );
    }
  });
}

async function readKnown(database: Queryable): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await database.query<{ name: string; fingerprints: string[] }>(
    "SELECT name, array_agg(fingerprint) AS fingerprints FROM house_keys WHERE given_up_at IS NULL GROUP BY name",
  );
  return new Map(rows.map(({ name, fingerprints }) => [name, new Set(fingerprints)]));
}

/** Marks keys as lost for good. `readGivenUp` returns them, and no process has to have them any more. */
export async function giveUpKeys(database: Queryable, { name, fingerprints }: HeldKeys): Promise<void> {
  await database.query(
    `INSERT INTO house_keys (name, fingerprint, given_up_at) SELECT $1, unnest($2::text[]), now()
     ON CONFLICT (name, fingerprint) DO UPDATE SET given_up_at = now()`,
    [name, fingerprints],
  );
}

/** Reads the fingerprints of a name that were given up. */
export async function readGivenUp(database: Queryable, name: string): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ fingerprint: string }>(
    "SELECT fingerprint FROM house_keys WHERE name = $1 AND given_up_at IS NOT NULL",
    [name],
  );
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}

function foreignFolder(dataDir: string, names: readonly string[]): string {
  return (
    `The database was started with another data folder: ${dataDir} does not hold its keys (${names.join(", ")}). ` +
    `Point DATA_DIR at that folder, or restore it from a backup. To begin anew instead, use an empty database (DATABASE_URL). ` +
    `If the folder is lost for good, start once with ADOPT_DATA_DIR=yes: this folder's keys take over, and running orders ` +
    `whose prices cannot be made any more are refunded.`
  );
}

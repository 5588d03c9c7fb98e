import { canonicalJson } from "@fairtick/domain";
import { formatVerifierKey, type VerifierKey } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";

export type KeyRole = "log" | "acceptance";

/** How long older keys keep signing beside a new one, so that people who pin keys have time to pin the new one. */
export const OLDER_KEYS_STAY_MS = 7 * 86_400_000;

/** Writes a `key.rotate` entry for a key that the log doesn't know yet. Only one is written if several processes try. */
export async function registerKey(database: Queryable, role: KeyRole, key: VerifierKey): Promise<void> {
  const text = formatVerifierKey(key);
  const [known] = await database.query<{ now: bigint; mine: boolean; older: boolean }>(
    `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, coalesce(bool_or(key = $1), false) AS mine,
       coalesce(bool_or(split_part(key, '+', 1) = $2 AND role = $3), false) AS older FROM log_keys`,
    [text, key.name, role],
  );
  if (known === undefined || known.mine) return;
  const until = known.older ? known.now + BigInt(OLDER_KEYS_STAY_MS) : known.now;
  await database.query(
    `WITH fresh AS (
       INSERT INTO log_keys (key, role, since, older_until) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING key
     )
     INSERT INTO outbox (kind, entry) SELECT 'key.rotate', $5 FROM fresh`,
    [text, role, known.now, until, canonicalJson({ key: text, kind: "key.rotate", role, until, v: 1 })],
  );
}

interface KeyRow {
  readonly key: string;
  readonly role: KeyRole;
  readonly since: bigint;
  readonly older_until: bigint;
}

/** Reads all keys ever registered, oldest first. */
export async function readKeys(database: Queryable): Promise<KeyRow[]> {
  return database.query<KeyRow>("SELECT key, role, since, older_until FROM log_keys ORDER BY since, key");
}

/** Returns whether a key still signs at `now`, which means that no later key of its role and name has taken over. */
export function isActive(mine: string, keys: readonly KeyRow[], now: bigint): boolean {
  const row = keys.find((each) => each.key === mine);
  if (row === undefined) return true;
  const name = nameOf(mine);
  return !keys.some(
    (each) => each.role === row.role && nameOf(each.key) === name && each.since > row.since && each.older_until <= now,
  );
}

function nameOf(key: string): string {
  return key.slice(0, key.indexOf("+"));
}

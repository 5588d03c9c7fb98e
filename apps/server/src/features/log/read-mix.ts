import type { Queryable } from "../../platform/database.ts";
import { readPublication } from "./log-store.ts";

/**
 * What an epoch has to mix in, from the checkpoint that ends with its commit. `final`: nothing better comes: the timeless
 * signature of the witness that the commit names; the root where it names none, or they give no such signature.
 * `checkpoint` is the note that shows it; null, and no source, as long as the commit has no place in the log.
 */
export type MixReading =
  | { readonly checkpoint: string; readonly source: Uint8Array; readonly final: boolean }
  | { readonly checkpoint: null; readonly source: null; readonly final: false };

const NOTHING: MixReading = { checkpoint: null, source: null, final: false };

export async function readMix(database: Queryable, epoch: bigint): Promise<MixReading> {
  const [row] = await database.query<{ checkpoint: string; source: Uint8Array; final: boolean }>(
    `SELECT m.note AS checkpoint, m.source, m.is_final AS final FROM log_entries l JOIN mix_notes m ON m.size = l.log_index + 1
     WHERE l.kind = 'epoch.commit' AND l.about = '' AND l.number = $1 ORDER BY m.is_final DESC LIMIT 1`,
    [epoch],
  );
  return row ?? NOTHING;
}

/** A witness that signed this much earlier than another one is away. */
const AWAY_MS = 10_000;

/**
 * Whom the next commit is to name: the first of those configured who signs without time, as far as they were ever asked, and is
 * not away while another one signs. Who is named is waited for.
 */
export async function readMixWitness(database: Queryable, configured: readonly string[]): Promise<string | null> {
  if (configured.length === 0) return null;
  const standings = (await readPublication(database))?.witnesses ?? [];
  const able = configured.filter((key) => standings.find((each) => each.key === key)?.timeless !== false);
  const signedAt = (key: string) => standings.find((each) => each.key === key)?.at ?? 0;
  const newest = Math.max(0, ...able.map(signedAt));
  return able.find((key) => signedAt(key) >= newest - AWAY_MS) ?? null;
}

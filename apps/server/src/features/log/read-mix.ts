import type { Queryable } from "../../platform/database.ts";
import { readPublication } from "./log-store.ts";

/**
 * What an epoch can be mixed with, taken from the checkpoint that ends with its commit. It is the timeless signature of the
 * witness that the commit names, or the checkpoint's root if the commit names none or the witness gives no such signature.
 * `final` means that nothing better will come. `checkpoint` is the note that shows it. It is null, without a source, while
 * the commit has no place in the log.
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

/** A witness counts as away if it signed this much earlier than another one. */
const AWAY_MS = 10_000;

/**
 * Chooses the witness that the next commit names, which the market then waits for: the first configured one that signs
 * without a time (as far as is known) and isn't away while another one signs. Null if there is none.
 */
export async function readMixWitness(database: Queryable, configured: readonly string[]): Promise<string | null> {
  if (configured.length === 0) return null;
  const standings = (await readPublication(database))?.witnesses ?? [];
  const able = configured.filter((key) => standings.find((each) => each.key === key)?.timeless !== false);
  const signedAt = (key: string) => standings.find((each) => each.key === key)?.at ?? 0;
  const newest = Math.max(0, ...able.map(signedAt));
  return able.find((key) => signedAt(key) >= newest - AWAY_MS) ?? null;
}

import { equalBytes } from "@fairtick/domain";
import {
  formatNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  type SignedNote,
  verifyCosignature,
} from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { readPublication } from "./log-store.ts";

/**
 * What an epoch may mix in, from the newest checkpoint that holds its commit. `final`: nothing better is to be waited for:
 * a witness's cosignature where witnesses are configured, else the checkpoint's root. `checkpoint` is the note that
 * shows it; null, and no source, as long as no checkpoint holds the commit.
 */
export type MixReading =
  | { readonly checkpoint: string; readonly source: Uint8Array; readonly final: boolean }
  | { readonly checkpoint: null; readonly source: null; readonly final: false };

const NOTHING: MixReading = { checkpoint: null, source: null, final: false };

/** `witnesses`: verifier keys of those configured; the first that cosigned counts. */
export async function readMix(database: Queryable, epoch: bigint, witnesses: readonly string[]): Promise<MixReading> {
  const published = await readPublication(database);
  const [commit] = await database.query<{ log_index: bigint }>(
    "SELECT log_index FROM log_entries WHERE kind = 'epoch.commit' AND about = '' AND number = $1",
    [epoch],
  );
  if (published === null || commit === undefined) return NOTHING;
  const holds = (size: number) => BigInt(size) > commit.log_index;
  if (witnesses.length > 0 && holds(published.size)) {
    const cosigned = withOneCosignature(published.note, witnesses);
    if (cosigned !== null) return { ...cosigned, final: true };
  }
  if (!holds(published.signedSize)) return NOTHING;
  const root = rootOf(published.signedNote);
  return { checkpoint: published.signedNote, source: root, final: witnesses.length === 0 };
}

function rootOf(note: string): Uint8Array {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? "");
  if (checkpoint === null) throw new Error("what is published is no checkpoint");
  return checkpoint.root;
}

/** The note with the log's signatures and that one cosignature, so that there is one answer to what was mixed in. */
function withOneCosignature(
  note: string,
  witnesses: readonly string[],
): { readonly checkpoint: string; readonly source: Uint8Array } | null {
  const parsed: SignedNote | null = parseNote(note);
  const keys = witnesses.flatMap((text) => parseVerifierKey(text) ?? []);
  const origin = parsed?.text.split("\n")[0];
  if (parsed === null) return null;
  for (const key of keys) {
    const mine = parsed.signatures.find((each) => each.name === key.name && equalBytes(each.keyId, key.id));
    if (mine === undefined || verifyCosignature(key, parsed.text, mine.signature) === null) continue;
    const signatures = [...parsed.signatures.filter((each) => each.name === origin), mine];
    return { checkpoint: formatNote({ text: parsed.text, signatures }), source: mine.signature };
  }
  return null;
}

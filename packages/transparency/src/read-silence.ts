import { ENTRY_WINDOW_MS, type Hashes } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { SILENCE_MS } from "./decide-order.ts";
import { openHeldEntries } from "./held-entries.ts";
import { parseLogEntry } from "./log-entry.ts";
import { momentOf } from "./log-moment.ts";
import { orderOf, type Receipt } from "./receipt.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import type { LogReader } from "./tile-tree.ts";
import { parseTlogProof } from "./tlog-proof.ts";

/**
 * What the log has after a receipt's last price. `silent`: no further price of the instrument (`toldThrough`: newest
 * moment of the entries read, ms); `priced`: a price that the receipt lacks; `unknown`: the receipt's last minute is
 * not in the log yet; `unread`: too many entries came after it to be read.
 */
export type Silence =
  | { readonly state: "silent"; readonly toldThrough: bigint }
  | { readonly state: "priced" | "unknown" | "unread" };

/** The most files of 256 entries that are read. */
const BUNDLES_MAX = 64;

/**
 * Reads the log from the receipt's last minute until the order has waited long enough or the checkpoint ends, and
 * checks every entry against the checkpoint's tree. The caller must have checked the checkpoint's signatures. Rejects
 * with LogFileError for files that are missing or don't belong to that tree.
 */
export async function readSilence(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  receipt: Receipt,
): Promise<Silence> {
  const order = orderOf(receipt);
  const shown = lastMinuteOf(receipt);
  if (order === null || shown === null || shown >= checkpoint.size) return { state: "unknown" };
  const first = Math.floor(shown / TILE_WIDTH);
  // The latest possible expiry, since the entry can't come after the entry window.
  const expiry = receipt.acceptance.acceptedAt + ENTRY_WINDOW_MS + BigInt(order.durationSeconds) * 1_000n;
  const held = openHeldEntries(hashes, reader, checkpoint);
  let toldThrough = 0n;
  for (let bundle = first; bundle < held.bundles; bundle += 1) {
    if (bundle - first >= BUNDLES_MAX) return { state: "unread" };
    for (const [place, bytes] of (await held.read(bundle)).entries()) {
      const index = bundle * TILE_WIDTH + place;
      const parsed = index > shown ? parseLogEntry(bytes) : null;
      if (parsed?.ok !== true) continue;
      if (parsed.entry.kind === "ticks" && parsed.entry.symbol === order.symbol) return { state: "priced" };
      const moment = momentOf(parsed.entry);
      if (moment > toldThrough) toldThrough = moment;
      if (toldThrough > expiry + SILENCE_MS) return { state: "silent", toldThrough };
    }
  }
  return { state: "silent", toldThrough };
}

/** Returns the log index of the receipt's last minute; null if it is in no checkpoint yet. */
function lastMinuteOf({ minutes }: Receipt): number | null {
  const proof = minutes.at(-1)?.logged?.proof ?? null;
  return proof === null ? null : (parseTlogProof(proof)?.index ?? null);
}

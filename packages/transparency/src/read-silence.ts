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
 * What the log has after a receipt's prices. `silent`: no price of the instrument, and the newest moment that it tells of;
 * `priced`: one that the receipt does not show; `unknown`: its last minute is not in the log yet; `unread`: too much came after.
 */
export type Silence =
  | { readonly state: "silent"; readonly toldThrough: bigint }
  | { readonly state: "priced" | "unknown" | "unread" };

/** Files of 256 entries that are read at most, each beside its hashes. */
const BUNDLES_MAX = 64;

/**
 * Reads the log from the last minute that the receipt shows until the order has waited long enough, or to the checkpoint's end,
 * every entry held against the tree. The checkpoint must count already. Rejects with LogFileError for files that are missing
 * or not of that tree.
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
  // No expiry is later than this.
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

/** Answers the log's index of the last minute that the receipt shows; null where that is in no checkpoint yet. */
function lastMinuteOf({ minutes }: Receipt): number | null {
  const proof = minutes.at(-1)?.logged?.proof ?? null;
  return proof === null ? null : (parseTlogProof(proof)?.index ?? null);
}

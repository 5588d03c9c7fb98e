import { equalBytes, type Hashes, type Instant, REMOVED_WITHIN_MS, utf8 } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { openHeldEntries } from "./held-entries.ts";
import { parseLogEntry } from "./log-entry.ts";
import type { LoggedEntry, Receipt } from "./receipt.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import type { LogReader } from "./tile-tree.ts";
import { parseTlogProof } from "./tlog-proof.ts";

/**
 * What a log says about the device that signed a receipt's order. `removedAt`: `at` of its first removal, ms; null if
 * the log has none. `short`: the checkpoint ends before the order's batch, so a removal may follow.
 */
export type Removal = { readonly state: "read"; readonly removedAt: Instant | null } | { readonly state: "short" };

/** Returns whether an order was accepted too long after its device was removed. Both moments are in ms since 1970 UTC. */
export function isAfterRemoval(acceptedAt: Instant, removedAt: Instant | null): boolean {
  return removedAt !== null && acceptedAt > removedAt + REMOVED_WITHIN_MS;
}

/** Returns the earliest `at` of the entries that remove a device, by the hash of its `device.add`; null if none does. */
export function findRemoval(entries: Iterable<Uint8Array>, hash: Uint8Array): Instant | null {
  let removedAt: Instant | null = null;
  for (const bytes of entries) {
    const parsed = parseLogEntry(bytes);
    if (!parsed.ok || parsed.entry.kind !== "device.remove" || !equalBytes(parsed.entry.hash, hash)) continue;
    if (removedAt === null || parsed.entry.at < removedAt) removedAt = parsed.entry.at;
  }
  return removedAt;
}

/**
 * Reads the log from the `device.add` that a receipt shows to the checkpoint's end, and looks for the device's removal.
 * Returns null if no device signed the order. The caller must have checked the checkpoint's signatures. Rejects with
 * LogFileError for files that are missing or don't belong to its tree.
 */
export async function readRemoval(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  receipt: Receipt,
): Promise<Removal | null> {
  const device = receipt.v === 1 ? null : (receipt.seal?.device.logged ?? null);
  const added = device === null ? null : parseLogEntry(utf8(device.entry));
  if (device === null || added?.ok !== true || added.entry.kind !== "device.add") return null;
  const [addedIn, acceptedIn] = [placeOf(device), placeOf(receipt.accepted)];
  if (Math.max(addedIn ?? 0, acceptedIn ?? 0) >= checkpoint.size) return { state: "short" };
  const held = openHeldEntries(hashes, reader, checkpoint);
  let removedAt: Instant | null = null;
  for (let bundle = Math.floor((addedIn ?? 0) / TILE_WIDTH); bundle < held.bundles; bundle += 1) {
    const found = findRemoval(await held.read(bundle), added.entry.hash);
    if (found !== null && (removedAt === null || found < removedAt)) removedAt = found;
  }
  return { state: "read", removedAt };
}

/** Returns an entry's index in the log; null if it is in no checkpoint yet. */
function placeOf(logged: LoggedEntry | null): number | null {
  return typeof logged?.proof === "string" ? (parseTlogProof(logged.proof)?.index ?? null) : null;
}

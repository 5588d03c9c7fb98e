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
  return earliest(findRemovals(entries, hash));
}

function findRemovals(entries: Iterable<Uint8Array>, hash: Uint8Array): Instant[] {
  const found: Instant[] = [];
  for (const bytes of entries) {
    const parsed = parseLogEntry(bytes);
    if (!parsed.ok || parsed.entry.kind !== "device.remove") continue;
    if (equalBytes(parsed.entry.hash, hash)) found.push(parsed.entry.at);
  }
  return found;
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
  const device = deviceOf(receipt);
  if (device === null) return null;
  const [addedIn, acceptedIn] = [placeOf(device.logged), placeOf(receipt.accepted)];
  if (Math.max(addedIn, acceptedIn) >= checkpoint.size) return { state: "short" };
  const held = openHeldEntries(hashes, reader, checkpoint);
  const found: Instant[] = [];
  for (let bundle = Math.floor(addedIn / TILE_WIDTH); bundle < held.bundles; bundle += 1) {
    found.push(...findRemovals(await held.read(bundle), device.hash));
  }
  return { state: "read", removedAt: earliest(found) };
}

/** Returns the device that a receipt shows, by its `device.add`; null if no device signed the order. */
function deviceOf(receipt: Receipt): { readonly logged: LoggedEntry; readonly hash: Uint8Array } | null {
  const logged = receipt.v === 1 ? null : (receipt.seal?.device.logged ?? null);
  const added = logged === null ? null : parseLogEntry(utf8(logged.entry));
  if (logged === null || added?.ok !== true || added.entry.kind !== "device.add") return null;
  return { logged, hash: added.entry.hash };
}

/** Returns an entry's index in the log; 0 if it is in no checkpoint yet. */
function placeOf({ proof }: LoggedEntry): number {
  return proof === null ? 0 : (parseTlogProof(proof)?.index ?? 0);
}

function earliest(moments: readonly Instant[]): Instant | null {
  return moments.reduce<Instant | null>((first, each) => (first === null || each < first ? each : first), null);
}

import { toHex, type Hashes } from "@fairtick/domain";
import type { Checkpoint } from "./checkpoint.ts";
import { openHeldEntries } from "./held-entries.ts";
import { parseLogEntry } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { ProvenRelease } from "./release-list.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import type { LogReader } from "./tile-tree.ts";

/**
 * Reads the log from a proven release to the checkpoint's end, and reports a fault for every later release: a house
 * could otherwise log a bad build for a minute and go on serving it to somebody with a proof that holds forever. The
 * caller must have checked the checkpoint's signatures. Rejects with LogFileError for files that are missing or don't
 * belong to its tree.
 */
export async function checkIsNewest(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  release: ProvenRelease,
  report: Report,
): Promise<void> {
  const { index, entryHash } = release;
  if (index >= checkpoint.size) {
    faultAt(report, "releases", index, `the log's newest checkpoint has only ${checkpoint.size} entries`);
    return;
  }
  const held = openHeldEntries(hashes, reader, checkpoint);
  for (let bundle = Math.floor(index / TILE_WIDTH); bundle < held.bundles; bundle += 1) {
    for (const [offset, bytes] of (await held.read(bundle)).entries()) {
      const place = bundle * TILE_WIDTH + offset;
      if (place === index && toHex(hashes.sha256(bytes)) !== entryHash)
        faultAt(report, "releases", index, "the log's newest checkpoint has another entry there");
      if (place > index) checkNoRelease(place, bytes, report);
    }
  }
}

function checkNoRelease(place: number, bytes: Uint8Array, report: Report): void {
  const parsed = parseLogEntry(bytes);
  if (!parsed.ok || parsed.entry.kind !== "release") return;
  const at = new Date(Number(parsed.entry.at)).toISOString();
  faultAt(report, "releases", place, `the release of ${at} is newer than the one shown`);
}

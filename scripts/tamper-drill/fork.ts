import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import {
  cosign,
  EMPTY_LOG,
  formatCheckpoint,
  formatNote,
  growLog,
  type LogReader,
  openCheckpoint,
  parseSignerKey,
  readEntries,
  edgeRoot,
  signNote,
  type SignerKey,
} from "@fairtick/transparency";
import type { Result } from "./attack.ts";
import type { World } from "./log-attacks.ts";
import type { Kept } from "./member.ts";

const ENTRIES_AT_ONCE = 256;

/** Who signs the fork: the house alone, or also the witness that stands on the house's own machine. */
export type Signers = "house" | "both";
export type SeenBefore = "seen" | "not seen";

/**
 * A second log for one member alone, without the entry `at`, signed with the keys that lie in the server's folder; his app
 * opens it after having seen the true log so far.
 */
export async function forkFor(
  world: World,
  order: Kept,
  fork: { readonly what: string; readonly signers: Signers; readonly seenBefore: SeenBefore },
): Promise<Result> {
  const { product, watchers } = world;
  const note = new TextDecoder().decode((await watchers.log.read("checkpoint")) ?? undefined);
  const opened = openCheckpoint(note, watchers.policy);
  const seen = openCheckpoint(watchers.seen(), watchers.policy);
  if (!opened.ok || !seen.ok) throw new Error("the log's checkpoint does not hold");
  const { size, origin } = opened.checkpoint;
  const entries: Uint8Array[] = [];
  for (let bundle = 0; bundle * ENTRIES_AT_ONCE < size; bundle += 1) {
    entries.push(...(await readEntries(watchers.log, size, bundle)));
  }
  const at = fork.seenBefore === "seen" ? seen.checkpoint.size - 1 : size - 1;
  if (size <= seen.checkpoint.size) throw new Error("nothing was logged since the log was seen");
  const forked = [...entries.slice(0, at), ...entries.slice(at + 1), new TextEncoder().encode("{}")];
  const grown = growLog(nodeHashes, EMPTY_LOG, forked);
  const files = new Map(grown.files.map(({ path, bytes }) => [path, bytes]));
  const text = formatCheckpoint({ origin, size: forked.length, root: edgeRoot(nodeHashes, grown.log.tree) });
  const signatures = [signNote(text, keyIn(join(product.dataDir, "log/keys/log-1.key")))];
  if (fork.signers !== "house") {
    const witness = keyIn(join(product.dataDir, "witness/witness.key"));
    signatures.push(cosign(text, BigInt(Math.floor(Date.now() / 1000)), witness));
  }
  files.set("checkpoint", new TextEncoder().encode(formatNote({ text, signatures })));
  const shown: LogReader = { read: async (path) => files.get(path) ?? (isTree(path) ? null : watchers.log.read(path)) };
  const begun = performance.now();
  const notice = await watchers.app(order, shown, watchers.seen());
  const seconds = notice === null ? null : (performance.now() - begun) / 1000;
  return { what: fork.what, refused: null, notices: notice === null ? [] : [notice], seconds };
}

function isTree(path: string): boolean {
  return path.startsWith("tile/") || path === "checkpoint";
}

function keyIn(path: string): SignerKey {
  const key = parseSignerKey(readFileSync(path, "utf8").trim());
  if (key === null) throw new Error(`${path} holds no key`);
  return key;
}

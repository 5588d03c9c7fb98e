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
import { waitUntil } from "@fairtick/testkit";
import type { Result } from "./attack.ts";
import type { World } from "./log-attacks.ts";
import type { Kept } from "./member.ts";

const ENTRIES_AT_ONCE = 256;
/** An entry is added at least every minute. */
const GROWN_MS_MAX = 75_000;

/** Who signs the fork: the house alone, or also the witness on the house's own machine. */
export type Signers = "house" | "both";
export type SeenBefore = "seen" | "not seen";

/**
 * Serves a second log to one member only, without one entry (the last that their app has seen, or their own order's),
 * signed with the keys in the server's folder. Their app has seen the true log until then and now opens the fork.
 */
export async function forkFor(
  world: World,
  order: Kept,
  fork: { readonly what: string; readonly signers: Signers; readonly seenBefore: SeenBefore },
): Promise<Result> {
  const { product, watchers } = world;
  const seen = openCheckpoint(watchers.seen(), watchers.policy);
  if (!seen.ok) throw new Error("the checkpoint seen before doesn't verify");
  const { size, origin } = await waitUntil(
    "a log that grew since it was seen",
    async () => {
      const note = new TextDecoder().decode((await watchers.log.read("checkpoint")) ?? undefined);
      const opened = openCheckpoint(note, watchers.policy);
      return opened.ok && opened.checkpoint.size > seen.checkpoint.size ? opened.checkpoint : null;
    },
    GROWN_MS_MAX,
  );
  const entries: Uint8Array[] = [];
  for (let bundle = 0; bundle * ENTRIES_AT_ONCE < size; bundle += 1) {
    entries.push(...(await readEntries(watchers.log, size, bundle)));
  }
  const at = fork.seenBefore === "seen" ? seen.checkpoint.size - 1 : await placeOf(world, order);
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

/** Returns the log index of the batch of an order that was placed after the app saw the log. */
async function placeOf({ member }: World, { orderNo }: Kept): Promise<number> {
  await member.settled(orderNo);
  const { data } = await member.call("order/receipt", { orderNo });
  const { proof } = data["accepted"] as { proof: string };
  const index = /^index ([0-9]+)$/m.exec(proof)?.[1];
  if (index === undefined) throw new Error("the order's acceptance is not in the log");
  return Number(index);
}

function isTree(path: string): boolean {
  return path.startsWith("tile/") || path === "checkpoint";
}

function keyIn(path: string): SignerKey {
  const key = parseSignerKey(readFileSync(path, "utf8").trim());
  if (key === null) throw new Error(`${path} contains no key`);
  return key;
}

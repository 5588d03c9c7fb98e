import { canonicalJson, utf8, type Hashes } from "@fairtick/domain";
import { formatCheckpoint } from "./checkpoint.ts";
import { cosign } from "./cosignature.ts";
import type { Rotation } from "./key-rotation.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, formatVerifierKey, type KeyType, signerKey, type SignerKey } from "./keys.ts";
import { formatNote, signNote } from "./note.ts";
import { openTileTree } from "./tile-tree.ts";
import { formatTlogProof } from "./tlog-proof.ts";
import { edgeRoot, EMPTY_LOG, growLog } from "./tree-edge.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

/** For tests: origin of a log whose keys rotate. */
export const ROTATING = "rotating.example/log";

export function testKey(fill: number, name = ROTATING, type: KeyType = ED25519_TYPE): SignerKey {
  return signerKey(name, type, new Uint8Array(32).fill(fill));
}

const witness = testKey(9, "witness.example/w", COSIGNATURE_TYPE);

/** Makes the policy of someone who pinned that key when it was the only one. */
export function pinning(key: SignerKey): VerifierPolicy {
  return {
    origin: ROTATING,
    logKeys: [key.verifier],
    acceptanceKeys: [],
    witnessKeys: [witness.verifier],
    witnessesNeeded: 1,
  };
}

export function rotationEntry(key: SignerKey, role: "log" | "acceptance" = "log"): string {
  const until = 1_763_700_000_000;
  return canonicalJson({ key: formatVerifierKey(key.verifier), kind: "key.rotate", role, until, v: 1 });
}

/** Makes a rotation: an entry with its proof in a log of two entries, signed by those keys. */
export async function makeRotation(
  hashes: Hashes,
  entry: string,
  signers: readonly SignerKey[],
  cosigned = true,
): Promise<Rotation> {
  const filler = canonicalJson({ at: 1, hash: "ab".repeat(32), kind: "approval", subject: "before", v: 1 });
  const { log, files } = growLog(hashes, EMPTY_LOG, [filler, entry].map(utf8));
  const stored = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const tree = openTileTree(hashes, { read: async (path) => stored.get(path) ?? null }, 2);
  const text = formatCheckpoint({ origin: ROTATING, size: 2, root: edgeRoot(hashes, log.tree) });
  const signatures = signers.map((key) => signNote(text, key));
  if (cosigned) signatures.push(cosign(text, 1_763_700_000n, witness));
  const checkpoint = formatNote({ text, signatures });
  return { entry, proof: formatTlogProof({ index: 1, path: await tree.inclusionProof(1), checkpoint }) };
}

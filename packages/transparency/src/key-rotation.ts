import { equalBytes, type Hashes } from "@fairtick/domain";
import { ED25519_TYPE, parseVerifierKey, type VerifierKey } from "./keys.ts";
import type { LogReader } from "./tile-tree.ts";
import { checkLogged, type VerifierPolicy } from "./verifier-policy.ts";

/** A `key.rotate` entry with a proof that the log had it while older keys still signed. */
export interface Rotation {
  readonly entry: string;
  /** Text in the format of a `.tlog-proof` file. */
  readonly proof: string;
}

export const ROTATIONS_PATH = "rotations";

export interface FollowedKey {
  readonly role: "log" | "acceptance";
  readonly key: VerifierKey;
  /** Index of its entry in the log. */
  readonly index: number;
}

/** Reads the rotations that a log serves at `/log/rotations`, oldest first; empty if none. Rejects malformed ones. */
export async function readRotations(log: LogReader): Promise<readonly Rotation[]> {
  const bytes = await log.read(ROTATIONS_PATH);
  return bytes === null ? [] : parseRotations(new TextDecoder().decode(bytes));
}

/** Parses rotations as a log serves them. Throws if they are malformed. */
export function parseRotations(text: string): readonly Rotation[] {
  const served: unknown = JSON.parse(text);
  if (!Array.isArray(served) || !served.every(isRotation)) throw new Error("the log's rotations are malformed");
  return served;
}

function isRotation(value: unknown): value is Rotation {
  if (typeof value !== "object" || value === null) return false;
  const { entry, proof } = value as Partial<Rotation>;
  return typeof entry === "string" && typeof proof === "string";
}

/**
 * Adds to the pinned keys those that they rotated to. A key is added if its entry is proved by a checkpoint that is
 * valid under the keys known so far. Older keys stay, for what they have signed. Witness keys never change this way,
 * since a log must not choose the witnesses that watch it.
 */
export function followRotations(
  hashes: Hashes,
  pinned: VerifierPolicy,
  rotations: readonly Rotation[],
): { readonly policy: VerifierPolicy; readonly followed: readonly FollowedKey[] } {
  let policy = pinned;
  const followed: FollowedKey[] = [];
  for (const rotation of rotations) {
    const fact = checkLogged(hashes, "key.rotate", rotation, policy);
    if (fact.state !== "ok") continue;
    const { role } = fact.entry;
    const key = parseVerifierKey(fact.entry.key);
    if (key?.type !== ED25519_TYPE || (key.name === policy.origin) !== (role === "log")) continue;
    const known = role === "log" ? policy.logKeys : policy.acceptanceKeys;
    if (known.some((one) => isSameKey(one, key))) continue;
    policy = role === "log" ? { ...policy, logKeys: [...known, key] } : { ...policy, acceptanceKeys: [...known, key] };
    followed.push({ role, key, index: fact.index });
  }
  return { policy, followed };
}

function isSameKey(left: VerifierKey, right: VerifierKey): boolean {
  return left.name === right.name && equalBytes(left.id, right.id);
}

import { toHex, utf8, type Hashes } from "@fairtick/domain";
import type { LogPolicy } from "./checkpoint.ts";
import type { VerifierKey } from "./keys.ts";
import { parseLogEntry, type LogEntryKind, type LogEntryOf } from "./log-entry.ts";
import { verifyTlogProof } from "./tlog-proof.ts";

/**
 * The keys and numbers that a verifier trusts. App and command pin them; they never come with the data being verified.
 */
export interface VerifierPolicy extends LogPolicy {
  /** Keys of type 0x01 that batch roots and slot heads are signed with. */
  readonly acceptanceKeys: readonly VerifierKey[];
  /**
   * Number of witnesses that must have cosigned a checkpoint before it is trusted. 0: the log's own signature suffices.
   */
  readonly witnessesNeeded: number;
}

/**
 * Result of verifying an entry. `ok`: it is in a valid, sufficiently cosigned checkpoint; `pending`: it is in none yet.
 */
export type LoggedFact<Kind extends LogEntryKind> =
  | { readonly state: "ok"; readonly entry: LogEntryOf<Kind>; readonly index: number; readonly size: number }
  | { readonly state: "pending"; readonly entry: LogEntryOf<Kind> }
  | { readonly state: "failed"; readonly why: string; readonly entry: LogEntryOf<Kind> | null };

/** Parses an entry of the expected kind and verifies that it is in the log. */
export function checkLogged<Kind extends LogEntryKind>(
  hashes: Hashes,
  kind: Kind,
  logged: { readonly entry: string; readonly proof: string | null },
  policy: VerifierPolicy,
): LoggedFact<Kind> {
  const bytes = utf8(logged.entry);
  const parsed = parseLogEntry(bytes);
  if (!parsed.ok) return { state: "failed", why: parsed.fault, entry: null };
  if (parsed.entry.kind !== kind) return { state: "failed", why: `not a ${kind} entry`, entry: null };
  const entry = parsed.entry as LogEntryOf<Kind>;
  if (logged.proof === null) return { state: "pending", entry };
  const verified = verifyTlogProof(hashes, logged.proof, bytes, policy);
  if (!verified.ok) return { state: "failed", why: verified.fault, entry };
  if (verified.witnesses.length < policy.witnessesNeeded) return { state: "failed", why: "not-cosigned", entry };
  return { state: "ok", entry, index: verified.index, size: verified.checkpoint.size };
}

/** Finds the pinned acceptance key with an id (lower-case hexadecimal); null if there is none. */
export function findAcceptanceKey(policy: Pick<VerifierPolicy, "acceptanceKeys">, id: string): VerifierKey | null {
  return policy.acceptanceKeys.find((key) => toHex(key.id) === id) ?? null;
}

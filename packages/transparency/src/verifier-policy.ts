import { toHex, utf8, type Hashes } from "@fairtick/domain";
import type { LogPolicy } from "./checkpoint.ts";
import type { VerifierKey } from "./keys.ts";
import { parseLogEntry, type LogEntryKind, type LogEntryOf } from "./log-entry.ts";
import { verifyTlogProof } from "./tlog-proof.ts";

/** What a verifier trusts from the start. App and command pin it; it never comes with what is verified. */
export interface VerifierPolicy extends LogPolicy {
  /** Keys of type 0x01 that batch roots and slot heads are signed with. */
  readonly acceptanceKeys: readonly VerifierKey[];
  /** Witnesses that must have cosigned a checkpoint before it counts. 0: the log's own signature suffices. */
  readonly witnessesNeeded: number;
}

/** An entry that is in a checkpoint which counts; `pending`: it is in none yet. */
export type LoggedFact<Kind extends LogEntryKind> =
  | { readonly state: "ok"; readonly entry: LogEntryOf<Kind>; readonly index: number; readonly size: number }
  | { readonly state: "pending"; readonly entry: LogEntryOf<Kind> }
  | { readonly state: "failed"; readonly why: string; readonly entry: LogEntryOf<Kind> | null };

/** Reads an entry of the kind expected, and verifies that it is in the log. */
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

/** Finds the acceptance key with an id, in lower-case hexadecimal. */
export function findAcceptanceKey(policy: VerifierPolicy, id: string): VerifierKey | null {
  return policy.acceptanceKeys.find((key) => toHex(key.id) === id) ?? null;
}

import {
  followRotations,
  formatPolicy,
  type LogReader,
  parsePolicy,
  portableHashes,
  readRotations,
  readServedKeys,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { readStoredJson, store } from "../../shared/storage.ts";

/**
 * The keys that this app accepts for the log: those built in with VITE_FAIRTICK_KEYS (the lines of a `fairtick.keys`
 * file, separated by `;`), or else those seen at the first contact and stored; plus those that log entries derive from
 * them. They never come with what is being verified, so a log under other keys doesn't verify.
 */
export interface PinnedKeys {
  readonly policy: VerifierPolicy;
  /** When they were first seen; null if they were built into the app. */
  readonly since: number | null;
  /** Whether the log now names other keys. */
  readonly changed: boolean;
}

export async function pinnedKeys(log: LogReader, now: () => number): Promise<PinnedKeys> {
  const built: unknown = import.meta.env["VITE_FAIRTICK_KEYS"];
  if (typeof built === "string" && built !== "") {
    return { policy: await followed(log, parsePolicy(built.replaceAll(";", "\n"))), since: null, changed: false };
  }
  const served = await readServedKeys(log);
  const kept = readKept();
  if (kept === null) {
    keep(served, now());
    return { policy: served, since: now(), changed: false };
  }
  if (linesOf(kept.policy) === linesOf(served)) return { ...kept, changed: false };
  const policy = await followed(log, kept.policy);
  if (policy !== kept.policy) keep(policy, kept.since);
  return { policy, since: kept.since, changed: linesOf(policy) !== linesOf(served) };
}

async function followed(log: LogReader, policy: VerifierPolicy): Promise<VerifierPolicy> {
  return followRotations(portableHashes, policy, await readRotations(log)).policy;
}

/**
 * Stores the keys that the log names now. Only for the member's own action, after comparing them with what others
 * have.
 */
export async function keepServedKeys(log: LogReader, now: () => number): Promise<void> {
  keep(await readServedKeys(log), now());
}

function keep(policy: VerifierPolicy, since: number): void {
  store("fairtickKeys", JSON.stringify({ lines: formatPolicy(policy), since }));
}

function readKept(): { policy: VerifierPolicy; since: number } | null {
  const stored = readStoredJson("fairtickKeys");
  if (typeof stored !== "object" || stored === null) return null;
  const { lines, since } = stored as { lines?: unknown; since?: unknown };
  if (!Array.isArray(lines) || typeof since !== "number") return null;
  return { policy: parsePolicy(lines.join("\n")), since };
}

function linesOf(policy: VerifierPolicy): string {
  return formatPolicy(policy).toSorted().join("\n");
}

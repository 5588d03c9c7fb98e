import { equalBytes, type Hashes } from "@fairtick/domain";
import {
  type Checkpoint,
  openCheckpoint,
  openTileTree,
  portableHashes,
  type LogReader,
  verifyConsistency,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { publicLog } from "./log-reader.ts";
import { checkGrown, readNewest } from "./own-checks.ts";
import { pinnedNow } from "./pinned-now.ts";
import { keepSeenLog, seenLog } from "./seen-log.ts";

/** Compares this device's view of the log with another's, because a house could show two people two different logs. */

/**
 * `same`: identical states. `newer`, `older`: theirs extends this one, or this one extends theirs. `differ`: the log
 * signed both, and neither extends the other. `otherLog`: no key known to this device signed theirs. `broken`: a known
 * key is named, but its signature is invalid. `unread`: the log didn't answer, or doesn't reach as far as theirs.
 */
export type Compared = "same" | "newer" | "older" | "differ" | "otherLog" | "broken" | "unread";

export interface Comparison {
  readonly outcome: Compared;
  /** How many entries longer one is than the other. */
  readonly more: number;
  /** Both signed notes, for the member to save. */
  readonly mine: string;
  readonly theirs: string;
}

/** The newest state of the log that this device verified. */
export interface VerifiedState {
  readonly note: string;
  readonly checkpoint: Checkpoint;
  readonly policy: VerifierPolicy;
  /** The note that this device saw before, if the newest one doesn't extend it. */
  readonly lost: string | null;
}

/**
 * Fetches the newest checkpoint and checks its signatures and that it extends the one this device saw last. Rejects if
 * there is no valid one.
 */
async function verifiedState(): Promise<VerifiedState> {
  const policy = await pinnedNow();
  const seen = seenLog();
  const clocks = { now: serverClock.now(), device: null };
  const newest = await readNewest(publicLog, policy, clocks);
  const { note, checkpoint } = newest;
  if (checkpoint === null) throw new Error(newest.check.why);
  const grown = await checkGrown(portableHashes, publicLog, policy, newest, seen);
  // A log that stands still is still verified.
  const isLost = grown !== newest.check && grown.state === "failed" && grown.named === undefined;
  if (!isLost) keepSeenLog(note, policy);
  return { note, checkpoint, policy, lost: isLost ? seen : null };
}

export function useVerifiedState(): UseQueryResult<VerifiedState> {
  return useQuery({ queryKey: ["log", "state"], queryFn: verifiedState, retry: false, meta: { quiet: true } });
}

/** Compares another device's note with a freshly fetched state. */
export async function compareNow(theirs: string): Promise<Comparison> {
  const { note, checkpoint, policy } = await verifiedState();
  return compareLogs(portableHashes, publicLog, policy, { note, checkpoint }, theirs);
}

export async function compareLogs(
  hashes: Hashes,
  log: LogReader,
  policy: VerifierPolicy,
  mine: { readonly note: string; readonly checkpoint: Checkpoint },
  theirs: string,
): Promise<Comparison> {
  const opened = openCheckpoint(theirs, { ...policy, witnessKeys: [] });
  const told = { mine: mine.note, theirs, more: 0 };
  if (!opened.ok) return { ...told, outcome: opened.fault === "bad-signature" ? "broken" : "otherLog" };
  const [own, other] = [mine.checkpoint, opened.checkpoint];
  const more = Math.abs(own.size - other.size);
  if (more === 0) return { ...told, outcome: equalBytes(own.root, other.root) ? "same" : "differ" };
  const [older, newer] = own.size < other.size ? [own, other] : [other, own];
  try {
    const proof = await openTileTree(hashes, log, newer.size).consistencyProof(older.size);
    const claim = { oldSize: older.size, oldRoot: older.root, newSize: newer.size, newRoot: newer.root, proof };
    if (!verifyConsistency(hashes, claim)) return { ...told, more, outcome: "differ" };
    return { ...told, more, outcome: newer === own ? "older" : "newer" };
  } catch {
    return { ...told, more, outcome: "unread" };
  }
}

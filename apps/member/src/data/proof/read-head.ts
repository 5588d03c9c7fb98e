import { cosignedAt, openCheckpoint } from "@fairtick/transparency";
import { serverClock } from "../../shared/server-clock.ts";
import { publicLog } from "./log-reader.ts";
import { pinnedKeys } from "./pinned-keys.ts";

/** The newest checkpoint signed by enough witnesses, as checked in this browser. */
export interface LogHead {
  /** Entries in the log. */
  readonly size: number;
  /** When the last required witness signed it, ms; null if none is required. */
  readonly witnessedAt: number | null;
}

/**
 * Fetches the public log's newest checkpoint and checks its signatures with the keys pinned on this device. Null if they
 * are invalid.
 */
export async function readHead(): Promise<LogHead | null> {
  const { policy } = await pinnedKeys(publicLog, () => serverClock.now());
  const note = await publicLog.read("checkpoint");
  const opened = note === null ? null : openCheckpoint(new TextDecoder().decode(note), policy);
  if (opened?.ok !== true || opened.witnesses.length < policy.witnessesNeeded) return null;
  const at = cosignedAt(opened.witnesses, policy.witnessesNeeded);
  return { size: opened.checkpoint.size, witnessedAt: at === null ? null : Number(at) };
}

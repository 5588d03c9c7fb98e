import { openCheckpoint, type Checkpoint } from "../checkpoint.ts";
import { cosignedAt } from "../log-age.ts";
import type { LogReader } from "../tile-tree.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";

/** A log's newest checkpoint, signed and sufficiently cosigned. `logAt`: when, ms; null if no witness is pinned. */
interface NewestCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly logAt: bigint | null;
}

/** Reads the log's newest checkpoint. Returns why it doesn't count unless the log and enough witnesses signed it. */
export async function readCheckpoint(log: LogReader, policy: VerifierPolicy): Promise<NewestCheckpoint | string> {
  const bytes = await log.read("checkpoint");
  if (bytes === null) return "there is no checkpoint";
  const opened = openCheckpoint(new TextDecoder().decode(bytes), policy);
  if (!opened.ok) return opened.fault;
  const [signed, needed] = [opened.witnesses.length, policy.witnessesNeeded];
  if (signed < needed) return `${signed} of ${needed} witnesses cosigned the newest checkpoint`;
  return { checkpoint: opened.checkpoint, logAt: cosignedAt(opened.witnesses, needed) };
}

import { type Instant, sm1Mix } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { MixReading } from "../log/index.ts";

/** An epoch's mix as its `epoch.open` entry states it. */
export interface EpochMix {
  readonly mix: Uint8Array;
  /**
   * The signed note that the mix is made from. Null if no checkpoint contained the commit; then the mix is made from
   * the commit alone.
   */
  readonly checkpoint: string | null;
}

export interface MixDesk {
  /** Returns the verifier key of the witness that the next commit names; null if there is none. */
  witness(): Promise<string | null>;
  /**
   * Returns the mix of an epoch with this start. Null if there is still time to wait for a better mix: then ask again.
   */
  mixFor(epoch: bigint, commit: Uint8Array, start: Instant, now: Instant): Promise<EpochMix | null>;
}

/** An epoch must be opened this long before its start at the latest: the notice that verifiers require, and a margin. */
const LATEST_MS = 35_000n;
/** How long an opening at short notice (the first one, or one after a gap) waits. Two checkpoints take about as long. */
const SHORT_WAIT_MS = 4_000n;

/**
 * Creates the desk that decides what an epoch is mixed with. It waits for the witness, but not forever: an epoch that follows
 * a running one gets the witness's signature if that comes before the notice must be given. Otherwise it gets the root of the
 * checkpoint that the witness did not sign, or the commit alone. The verifier reports each such epoch, and orders pause while
 * the witness is missing (LOG_BEHIND).
 * Without `read`, there is no log.
 */
export function createMixDesk(
  read?: (epoch: bigint) => Promise<MixReading>,
  witness: () => Promise<string | null> = () => Promise.resolve(null),
): MixDesk {
  let asked: { readonly epoch: bigint; readonly since: Instant } | undefined;

  return {
    witness,
    async mixFor(epoch, commit, start, now) {
      const alone = { mix: sm1Mix(nodeHashes, commit), checkpoint: null };
      if (read === undefined) return alone;
      if (asked?.epoch !== epoch) asked = { epoch, since: now };
      const found = await read(epoch);
      if (!found.final) {
        const mayWait = start - now > LATEST_MS || now - asked.since < SHORT_WAIT_MS;
        if (mayWait) return null;
      }
      return found.source === null ? alone : { mix: sm1Mix(nodeHashes, found.source), checkpoint: found.checkpoint };
    },
  };
}

import { type Instant, sm1Mix } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { MixReading } from "../log/index.ts";

/** What `epoch.open` says of its mix. */
export interface EpochMix {
  readonly mix: Uint8Array;
  /** The signed note that it is made of; null where no checkpoint held the commit: it is made of the commit itself. */
  readonly checkpoint: string | null;
}

export interface MixDesk {
  /** The verifier key of the witness that the next commit names; null where there is none. */
  witness(): Promise<string | null>;
  /** The mix of an epoch that is to start then; null: ask again, there is time to wait for a better one. */
  mixFor(epoch: bigint, commit: Uint8Array, start: Instant, now: Instant): Promise<EpochMix | null>;
}

/** Notice that an opening has to be given, and what is kept in hand of it. */
const LATEST_MS = 35_000n;
/** How long an opening at short notice (the first one, one after a gap) waits: no longer than two checkpoints take. */
const SHORT_WAIT_MS = 4_000n;

/**
 * Waits for the witness, never for good: an epoch that follows one that runs is opened with their signature as long as it can
 * still be given its notice; then with the root of the checkpoint that they did not sign, or with the commit alone. The
 * verifier says so of each such epoch, and orders pause in the meantime (LOG_BEHIND).
 * `read` left out: there is no log.
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

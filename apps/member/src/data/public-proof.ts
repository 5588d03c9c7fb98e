import { portableHashes, type ProofPlaces, type PublicProof, verifyPublicProof } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverNow } from "../shared/server-clock.ts";
import { publicLog } from "./proof/log-reader.ts";
import { type OwnCheck, readNewest } from "./proof/own-checks.ts";
import { pinnedKeys } from "./proof/pinned-keys.ts";

export interface CheckedProof {
  /** Whether the newest checkpoint counts by the keys that this browser holds the log to. */
  readonly log: OwnCheck;
  /** Entries in that checkpoint; 0 where it does not count. */
  readonly size: number;
  /** Null where the log does not count: nothing in it proves anything then. */
  readonly proof: PublicProof | null;
}

/**
 * Verifies an order by the public log alone, in this browser, whoever looks. Fetches nothing but files of the log that everybody is
 * served. `places` null: nothing is asked for.
 */
export function useCheckedProof(places: ProofPlaces | null): UseQueryResult<CheckedProof> {
  return useQuery({
    queryKey: ["log", "proof", places],
    queryFn: async () => {
      if (places === null) throw new Error("a proof needs its places");
      return checkProof(places);
    },
    enabled: places !== null,
    staleTime: Infinity,
    retry: 1,
    meta: { quiet: true },
  });
}

async function checkProof(places: ProofPlaces): Promise<CheckedProof> {
  const { policy } = await pinnedKeys(publicLog, serverNow);
  const { check: log, checkpoint } = await readNewest(publicLog, policy, { now: serverNow(), device: null });
  if (checkpoint === null) return { log, size: 0, proof: null };
  const proof = await verifyPublicProof(portableHashes, publicLog, checkpoint, places);
  return { log, size: checkpoint.size, proof };
}

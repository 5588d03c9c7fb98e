import { portableHashes, type ProofPlaces, type PublicProof, verifyPublicProof } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverNow } from "../shared/server-clock.ts";
import { publicLog } from "./proof/log-reader.ts";
import { type OwnCheck, readNewest } from "./proof/own-checks.ts";
import { pinnedKeys } from "./proof/pinned-keys.ts";

export interface CheckedProof {
  /** Whether the newest checkpoint is valid under this browser's pinned keys. */
  readonly log: OwnCheck;
  /** Number of entries in that checkpoint; 0 if it isn't valid. */
  readonly size: number;
  /** Null if the log isn't valid, because then nothing in it proves anything. */
  readonly proof: PublicProof | null;
}

/** Returns whether all of it was checked and holds: the log itself and every check of the order. */
export function isProven({ log, proof }: CheckedProof): boolean {
  return log.state === "ok" && proof !== null && proof.checks.every(({ state }) => state === "ok");
}

/**
 * Verifies an order from the public log alone, in this browser, for anyone. Fetches only log files that everyone gets.
 * Idle while `places` is null.
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

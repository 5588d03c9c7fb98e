import { useQuery, type UseQueryResult } from "@tanstack/react-query";

const EVERY_MS = 5_000;

/** The newest checkpoint signed by enough witnesses, as checked in this browser. */
export interface LogHead {
  /** Entries in the log. */
  readonly size: number;
  /** When the last required witness signed it, ms; null if none is required. */
  readonly witnessedAt: number | null;
}

/**
 * Fetches the public log's newest checkpoint every five seconds and checks its signatures with the keys pinned on this
 * device. Null if they are invalid. The verifier is loaded with the first checkpoint.
 */
export function useLogHead(): UseQueryResult<LogHead | null> {
  return useQuery({
    queryKey: ["log", "head"],
    queryFn: readHead,
    refetchInterval: EVERY_MS,
    retry: false,
    meta: { quiet: true },
  });
}

async function readHead(): Promise<LogHead | null> {
  const [{ cosignedAt, openCheckpoint }, { publicLog }, { pinnedKeys }, { serverClock }] = await Promise.all([
    import("@fairtick/transparency"),
    import("../../data/proof/log-reader.ts"),
    import("../../data/proof/pinned-keys.ts"),
    import("../../shared/server-clock.ts"),
  ]);
  const { policy } = await pinnedKeys(publicLog, () => serverClock.now());
  const note = await publicLog.read("checkpoint");
  const opened = note === null ? null : openCheckpoint(new TextDecoder().decode(note), policy);
  if (opened?.ok !== true || opened.witnesses.length < policy.witnessesNeeded) return null;
  const at = cosignedAt(opened.witnesses, policy.witnessesNeeded);
  return { size: opened.checkpoint.size, witnessedAt: at === null ? null : Number(at) };
}

import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { LogHead } from "../../data/proof/read-head.ts";

const EVERY_MS = 5_000;

/**
 * Fetches the public log's newest checkpoint every five seconds and checks its signatures with the keys pinned on this
 * device. Null if they are invalid. The verifier is loaded with the first checkpoint.
 */
export function useLogHead(): UseQueryResult<LogHead | null> {
  return useQuery({
    queryKey: ["log", "head"],
    queryFn: async () => (await import("../../data/proof/read-head.ts")).readHead(),
    refetchInterval: EVERY_MS,
    retry: false,
    meta: { quiet: true },
  });
}

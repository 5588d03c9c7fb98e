import { fairness, type Fairness } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import * as v from "valibot";

export type { Fairness } from "@fairtick/protocol";
export type Sums = Fairness["wallets"][number];

const FRESH_MS = 60_000;
const TIMEOUT_MS = 20_000;

/** The public figures of all orders: the same for everybody, no login. */
export function useFairness(): UseQueryResult<Fairness> {
  return useQuery({
    queryKey: ["fairness"],
    queryFn: async () => {
      const answer = await fetch("/fairness.json", { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!answer.ok) throw new Error(`/fairness.json: HTTP ${answer.status}`);
      return v.parse(fairness, await answer.json());
    },
    staleTime: FRESH_MS,
    retry: false,
    meta: { quiet: true },
  });
}

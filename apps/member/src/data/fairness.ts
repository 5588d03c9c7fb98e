import { fairness, fairnessDay, type Fairness, type FairnessDay } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import * as v from "valibot";

export type { Fairness } from "@fairtick/protocol";
export type Sums = Fairness["wallets"][number];

const FRESH_MS = 60_000;
const TIMEOUT_MS = 20_000;

async function readFigures<Schema extends typeof fairness | typeof fairnessDay>(
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const answer = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return v.parse(schema, await answer.json());
}

/** The figures of one day, by instrument and duration. */
export function useFairnessDay(day: string): UseQueryResult<FairnessDay> {
  return useQuery({
    queryKey: ["fairness", day],
    queryFn: () => readFigures(`/fairness/${day}.json`, fairnessDay),
    staleTime: FRESH_MS,
    retry: false,
    meta: { quiet: true },
  });
}

/** The public figures of all orders: the same for everyone, without login. */
export function useFairness(): UseQueryResult<Fairness> {
  return useQuery({
    queryKey: ["fairness"],
    queryFn: () => readFigures("/fairness.json", fairness),
    staleTime: FRESH_MS,
    retry: false,
    meta: { quiet: true },
  });
}

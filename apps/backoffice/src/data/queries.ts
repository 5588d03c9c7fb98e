import {
  mayCall,
  type OperatorCall,
  type OperatorOutput,
  type OperatorPath,
  type OperatorSelf,
  type OperatorSent,
  sessionMe,
} from "@fairtick/protocol/operator";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callOperator, CallFailure } from "./call.ts";

/** Reads; the key is the call and what was asked. */
export function useRead<C extends OperatorCall>(call: C, sent: OperatorSent<C>, enabled = true) {
  return useQuery<OperatorOutput<C>, CallFailure>({
    queryKey: [call.path, sent],
    queryFn: () => callOperator(call, sent),
    enabled,
  });
}

/** Pictures never change, and each look at one is a row of the audit trail. */
export const PICTURE = "picture";
const KEPT: ReadonlySet<unknown> = new Set([sessionMe.path, PICTURE]);

/** Does something; every list on the screen is asked for again, whether it was done or refused. */
export function useAct<C extends OperatorCall>(call: C) {
  const queries = useQueryClient();
  return useMutation<OperatorOutput<C>, CallFailure, OperatorSent<C>>({
    mutationFn: (sent) => callOperator(call, sent),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) }),
  });
}

/** Who is logged in; null for nobody. */
export function useSelf() {
  return useQuery<OperatorSelf | null>({
    queryKey: [sessionMe.path],
    queryFn: async () => {
      try {
        return await callOperator(sessionMe, {});
      } catch (failure) {
        if (failure instanceof CallFailure && failure.status === 401) return null;
        throw failure;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether the one logged in may make a call: what he may not do is not drawn. */
export function useMay(): (path: OperatorPath) => boolean {
  const { data } = useSelf();
  return (path) => mayCall(path, data?.roles ?? []);
}

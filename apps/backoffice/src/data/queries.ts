import {
  mayCall,
  type OperatorCall,
  type Output,
  type OperatorPath,
  type OperatorSelf,
  type Sent,
  sessionMe,
} from "@fairtick/protocol/operator";
import { MutationCache, QueryCache, QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callOperator, CallFailure } from "./call.ts";

/** What the server says of a session that is over. */
const OVER: ReadonlySet<string | null> = new Set(["LOGIN_REQUIRED", "SESSION_EXPIRED"]);

/** Each reading is written to the audit trail: a screen asks when it is opened, when it is told to, and when something was done. */
export function makeQueries(): QueryClient {
  /** A session that is over leads to the login, and from there back to the same case. */
  function onError(failure: Error) {
    if (failure instanceof CallFailure && OVER.has(failure.error)) queries.setQueryData([sessionMe.path], null);
  }
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5_000 } },
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
  });
  return queries;
}

/** Reads; the key is the call and what was asked. */
export function useRead<C extends OperatorCall>(call: C, sent: Sent<C>, enabled = true) {
  return useQuery<Output<C>, CallFailure>({
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
  return useMutation<Output<C>, CallFailure, Sent<C>>({
    mutationFn: (sent) => callOperator(call, sent),
    onSettled: () => readAgain(queries),
  });
}

/** Asks again for all that is on the screen: others work on it too. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void readAgain(queries);
}

function readAgain(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
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

/** Whether the one logged in may make a call: what they may not do is not drawn. */
export function useMay(): (path: OperatorPath) => boolean {
  const { data } = useSelf();
  return (path) => mayCall(path, data?.roles ?? []);
}

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

/** Error codes for a session that has ended. */
const OVER: ReadonlySet<string | null> = new Set(["LOGIN_REQUIRED", "SESSION_EXPIRED"]);

/** Makes the query cache. Reads are recorded in the audit trail, so a screen reads when it opens, on Refresh and after an action. */
export function makeQueries(): QueryClient {
  /** Shows the login once the session has ended. The address stays, so logging in leads back to the same case. */
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

/** Reads a call. The cache key is its path and input. */
export function useRead<C extends OperatorCall>(call: C, sent: Sent<C>, enabled = true) {
  return useQuery<Output<C>, CallFailure>({
    queryKey: [call.path, sent],
    queryFn: () => callOperator(call, sent),
    enabled,
  });
}

/** Reads a call once while its screen is open, for calls that change something each time. */
export function useReadOnce<C extends OperatorCall>(call: C, sent: Sent<C>) {
  return useQuery<Output<C>, CallFailure>({
    queryKey: [call.path, sent],
    queryFn: () => callOperator(call, sent),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** First part of a picture's query key. Pictures never change, and each fetch is recorded in the audit trail. */
export const PICTURE = "picture";
const KEPT: ReadonlySet<unknown> = new Set([sessionMe.path, PICTURE]);

/** Makes a call that changes something. Everything on screen is read again afterwards, even when it was refused. */
export function useAct<C extends OperatorCall>(call: C) {
  const queries = useQueryClient();
  return useMutation<Output<C>, CallFailure, Sent<C>>({
    mutationFn: (sent) => callOperator(call, sent),
    onSettled: () => readAgain(queries),
  });
}

/** Returns a function that reads everything on screen again. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void readAgain(queries);
}

function readAgain(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
}

/** Reads the logged-in operator; null when nobody is logged in. */
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

/** Returns whether the operator's roles allow a call. Controls for calls they can't make are not shown. */
export function useMay(): (path: OperatorPath) => boolean {
  const { data } = useSelf();
  return (path) => mayCall(path, data?.roles ?? []);
}

import { type OperatorCall, type OperatorSelf, type Output, type Sent, sessionMe } from "@fairtick/protocol/operator";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";

/** What is in the query cache: the path of a call and what it sent, or the two parts of another key. */
type Answer = readonly [path: string, sent: unknown, output: unknown];

/** The operator who is logged in. */
export const SELF = { operatorId: "opr_self", login: "self-1", name: "Self" };

/** Returns the answer to a call that a screen makes with `sent`. */
export function answer<C extends OperatorCall>(call: C, sent: Sent<C>, output: Output<C>): Answer {
  return [call.path, sent, output];
}

/** Renders part of the console for a logged-in operator, with answers instead of a server. */
export function renderFor(
  roles: OperatorSelf["roles"],
  answers: readonly Answer[],
  part: ReactNode,
): RenderResult & { readonly queries: QueryClient } {
  // Answers never become stale here, so nothing is requested from a server.
  const queries = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  const self: OperatorSelf = {
    operator: SELF,
    roles,
    expiresAt: Date.UTC(2030, 0),
    deployment: "sandbox",
  };
  queries.setQueryData([sessionMe.path], self);
  for (const [path, sent, output] of answers) queries.setQueryData([path, sent], output);
  return { ...render(<QueryClientProvider client={queries}>{part}</QueryClientProvider>), queries };
}

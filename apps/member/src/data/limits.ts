import type { Fields, Output, userLimits, userSelfExclude, userSetLimits } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { queryClient } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type Limits = Output<typeof userLimits>;
export type LimitName = Limits["pending"][number]["limit"];

const KEY = ["member", "limits"];

/** Limits the member has set for themselves; idle for a visitor. */
export function useLimits(): UseQueryResult<Limits> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: KEY,
    queryFn: () => ask<typeof userLimits>("user/limits", {}),
    enabled: loggedIn,
    staleTime: 60_000,
  });
}

/** Lowers at once, raises after 24 hours; `none` lifts one. */
export async function setLimits(change: Fields<typeof userSetLimits>): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof userSetLimits>("user/setLimits", change));
}

/** Shuts the member out of new orders until then. */
export async function excludeSelf(until: Fields<typeof userSelfExclude>["until"]): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof userSelfExclude>("user/selfExclude", { until }));
  await queryClient.invalidateQueries({ queryKey: ["member", "info"] });
}

import type { Fields, Output, userLimits, userSelfExclude, userSetLimits } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { queryClient } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type Limits = Output<typeof userLimits>;
export type LimitName = Limits["pending"][number]["limit"];

const KEY = ["member", "limits"];

/** Limits that the member has set for themselves; idle for a visitor. */
export function useLimits(): UseQueryResult<Limits> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: KEY,
    queryFn: () => ask<typeof userLimits>("user/limits", {}),
    enabled: loggedIn,
    staleTime: 60_000,
  });
}

/** Changes limits. Lowering takes effect at once, raising after 24 hours; `none` removes a limit. */
export async function setLimits(change: Fields<typeof userSetLimits>): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof userSetLimits>("user/setLimits", change));
}

/** Excludes the member from new orders until the given time. */
export async function excludeSelf(until: Fields<typeof userSelfExclude>["until"]): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof userSelfExclude>("user/selfExclude", { until }));
  await queryClient.invalidateQueries({ queryKey: ["member", "info"] });
}

import type { Summary, UserInfo, userInfo, userSummary, userRefillPractice, userSetName } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type Wallet = "practice" | "real";

/** The logged-in member; idle for a visitor. */
export function useMember(): UseQueryResult<UserInfo> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keys.info,
    queryFn: () => ask<typeof userInfo>("user/info", {}),
    enabled: loggedIn,
    staleTime: 60_000,
  });
}

/** The figures of one wallet, kept up to date by the stream; idle for a visitor. */
export function useSummary(wallet: Wallet): UseQueryResult<Summary> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keys.summary(wallet),
    queryFn: async () => laterSummary(await ask<typeof userSummary>("user/summary", { wallet })),
    enabled: loggedIn,
  });
}

/** Returns whichever is newer: this summary or the one in the cache. */
function laterSummary(summary: Summary): Summary {
  const known = queryClient.getQueryData<Summary>(keys.summary(summary.wallet));
  return known !== undefined && known.serverTime > summary.serverTime ? known : summary;
}

/** Stores a summary from the stream, unless the cached one is newer. */
export function takeSummary(summary: Summary): void {
  queryClient.setQueryData(keys.summary(summary.wallet), laterSummary(summary));
}

/** Reloads the member and both wallets. */
export async function refreshAccount(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.member });
}

/** Sets the name that is shown instead of the masked e-mail or phone number. */
export async function setName(username: string): Promise<void> {
  await ask<typeof userSetName>("user/setName", { username });
  await queryClient.invalidateQueries({ queryKey: keys.member });
}

/** Tops up the practice wallet; refused with REFILL_NOT_NEEDED above 1,000.00. */
export async function refillPractice(clientId: string): Promise<void> {
  await ask<typeof userRefillPractice>("user/refillPractice", { clientId });
  await queryClient.invalidateQueries({ queryKey: keys.summary("practice") });
}

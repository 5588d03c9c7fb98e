import type { Summary, UserInfo, userInfo, userSummary, userRefillPractice, userSetName } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type Wallet = "practice" | "real";

/** Who is logged in; idle for a visitor. */
export function useMember(): UseQueryResult<UserInfo> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keys.info,
    queryFn: () => ask<typeof userInfo>("user/info", {}),
    enabled: loggedIn,
    staleTime: 60_000,
  });
}

/** One wallet in figures, kept fresh by the stream; idle for a visitor. */
export function useSummary(wallet: Wallet): UseQueryResult<Summary> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keys.summary(wallet),
    queryFn: async () => laterSummary(await ask<typeof userSummary>("user/summary", { wallet })),
    enabled: loggedIn,
  });
}

/** The summary, or the one that is known where that was drawn up after it. */
function laterSummary(summary: Summary): Summary {
  const known = queryClient.getQueryData<Summary>(keys.summary(summary.wallet));
  return known !== undefined && known.serverTime > summary.serverTime ? known : summary;
}

/** Takes a summary that the stream brought; an older one than is known is left. */
export function takeSummary(summary: Summary): void {
  queryClient.setQueryData(keys.summary(summary.wallet), laterSummary(summary));
}

/** Reads both wallets and the member anew. */
export async function refreshAccount(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.member });
}

/** Sets the name that stands instead of the masked account. */
export async function setName(username: string): Promise<void> {
  await ask<typeof userSetName>("user/setName", { username });
  await queryClient.invalidateQueries({ queryKey: keys.member });
}

/** Fills the practice wallet up; refused REFILL_NOT_NEEDED above 1,000.00. */
export async function refillPractice(clientId: string): Promise<void> {
  await ask<typeof userRefillPractice>("user/refillPractice", { clientId });
  await queryClient.invalidateQueries({ queryKey: keys.summary("practice") });
}

import type { Output, userBalances, userFigures } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type Figures = Output<typeof userFigures>;
export type Week = Figures["weeks"][number];

/** A wallet's results week by week. */
export function useFigures(wallet: Wallet): UseQueryResult<Figures> {
  return useQuery({
    queryKey: ["member", "figures", wallet],
    queryFn: () => ask<typeof userFigures>("user/figures", { wallet }),
  });
}

export type Balances = Output<typeof userBalances>;

/** A wallet's total day by day, and what the daily limits count today; idle for a visitor. */
export function useBalances(wallet: Wallet): UseQueryResult<Balances> {
  return useQuery({
    queryKey: ["member", "balances", wallet],
    queryFn: () => ask<typeof userBalances>("user/balances", { wallet }),
    enabled: useLoggedIn(),
    staleTime: 60_000,
    // A curve and a line beside the ticket: what failed is asked again, and nobody needs to hear of it.
    meta: { quiet: true },
  });
}

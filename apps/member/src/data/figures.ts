import type { Output, userBalances, userFigures } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type Figures = Output<typeof userFigures>;
export type Week = Figures["weeks"][number];

/** A wallet's weekly results. */
export function useFigures(wallet: Wallet): UseQueryResult<Figures> {
  return useQuery({
    queryKey: ["member", "figures", wallet],
    queryFn: () => ask<typeof userFigures>("user/figures", { wallet }),
  });
}

export type Balances = Output<typeof userBalances>;

/** A wallet's daily totals, and what counts towards today's limits; idle for a visitor. */
export function useBalances(wallet: Wallet): UseQueryResult<Balances> {
  return useQuery({
    queryKey: ["member", "balances", wallet],
    queryFn: () => ask<typeof userBalances>("user/balances", { wallet }),
    enabled: useLoggedIn(),
    staleTime: 60_000,
    // Only a curve and a line beside the ticket depend on it: a failure is retried without a message.
    meta: { quiet: true },
  });
}

import type { Output, userFigures } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
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

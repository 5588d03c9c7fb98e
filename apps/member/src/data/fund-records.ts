import type { fundExport, fundRecords, Output } from "@fairtick/protocol";
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { useLoggedIn } from "./session.ts";
import { ask, askBytes } from "./transport.ts";

export type FundPage = Output<typeof fundRecords>;
export type FundRecord = FundPage["items"][number];
/** The three tabs: all changes of the available balance, deposit requests, or withdrawal requests. */
export type FundKind = "all" | "deposit" | "withdraw";

export interface FundFilters {
  readonly wallet: Wallet;
  readonly kind: FundKind;
  readonly from?: number;
  readonly to?: number;
}

/** Fund records, newest first, in pages. */
export function useFundRecords(
  filters: FundFilters,
): UseInfiniteQueryResult<InfiniteData<FundPage, string | undefined>> {
  return useInfiniteQuery({
    queryKey: ["member", "funds", filters],
    queryFn: ({ pageParam }) =>
      ask<typeof fundRecords>("fund/records", {
        ...filters,
        limit: 30,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: useLoggedIn(),
  });
}

/** Returns the same records as CSV. */
export async function exportFunds(filters: FundFilters): Promise<Blob> {
  return askBytes<typeof fundExport>("fund/export", { ...filters });
}

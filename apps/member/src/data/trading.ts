import type { Order, orderDetail, orderExport, orderHistory, orderQuote, Output } from "@fairtick/protocol";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { forward } from "./orders.ts";
import { keys } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask, askBytes } from "./transport.ts";

export type Quote = Output<typeof orderQuote>;
export type HistoryPage = Output<typeof orderHistory>;

/**
 * The terms of a quote, which holds for exactly these. Up and down have the same terms, so the direction is left out.
 */
export interface QuoteTerms {
  readonly symbol: string;
  readonly stake: string;
  readonly duration: number;
  readonly wallet: Wallet;
}

/**
 * What the server would agree to now; idle while `terms` is null. Failures are silent, because placing reports them.
 */
export function useQuote(terms: QuoteTerms | null): UseQueryResult<Quote> {
  return useQuery({
    queryKey: ["quote", terms],
    queryFn: () => {
      if (terms === null) throw new Error("a quote needs its terms");
      return ask<typeof orderQuote>("order/quote", { ...terms });
    },
    enabled: terms !== null,
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  });
}

/**
 * One order, kept up to date by the stream, and polled every 2 s once it is due in case the stream is down. Idle for
 * undefined.
 */
export function useOrder(named: string | undefined): UseQueryResult<Order> {
  const loggedIn = useLoggedIn();
  const orderNo = named ?? "";
  return useQuery({
    queryKey: keys.order(orderNo),
    queryFn: async () => forward(await ask<typeof orderDetail>("order/detail", { orderNo })),
    enabled: loggedIn && named !== undefined,
    staleTime: (query) => (query.state.data?.state === "settled" ? Infinity : 5_000),
    refetchInterval: (query) => {
      const order = query.state.data;
      if (order === undefined || order.state === "settled") return false;
      return 2_000;
    },
  });
}

export interface HistoryFilters {
  readonly symbol?: string;
  readonly outcome?: "won" | "lost" | "tied" | "voided";
  /** Range of acceptance times, ms. */
  readonly from?: number;
  readonly to?: number;
}

/** Settled orders, newest first, in pages. Each page carries the totals of all orders that match the filters. */
export function useHistory(
  wallet: Wallet,
  filters: HistoryFilters,
): UseInfiniteQueryResult<InfiniteData<HistoryPage, string | undefined>> {
  return useInfiniteQuery({
    queryKey: [...keys.history(wallet), filters],
    queryFn: ({ pageParam }) =>
      ask<typeof orderHistory>("order/history", {
        wallet,
        ...filters,
        limit: 30,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: useLoggedIn(),
  });
}

/** Returns the settled orders that match the filters as CSV. */
export async function exportOrders(wallet: Wallet, filters: HistoryFilters): Promise<Blob> {
  return askBytes<typeof orderExport>("order/export", { wallet, ...filters });
}

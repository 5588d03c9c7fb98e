import type {
  Order,
  orderDetail,
  orderExport,
  orderHistory,
  orderPlace,
  orderPositions,
  orderQuote,
  Output,
} from "@fairtick/protocol";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { keepAcceptance } from "./kept-acceptances.ts";
import { forward, takeOrder } from "./orders.ts";
import { isOwn, type PendingOrder } from "./pending-order.ts";
import { keys } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask, askBytes } from "./transport.ts";

export type Quote = Output<typeof orderQuote>;
export type HistoryPage = Output<typeof orderHistory>;

/** What is asked about; the answer holds for these words alone. */
export interface QuoteTerms {
  readonly symbol: string;
  readonly direction: "up" | "down";
  readonly stake: string;
  readonly duration: number;
  readonly wallet: Wallet;
}

/** What the server would agree to now; idle while `terms` is null. Its failure is silent: placing says it again. */
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
 * Sends the order. The same `clientOrderId` again answers the same order, never a second.
 * @throws CallError; `refused` with every name that `order/place` has, and no id is bound then.
 */
export async function placeOrder(pending: PendingOrder): Promise<Order> {
  const { sentAt: _sentAt, member: _member, ...fields } = pending;
  const { acceptance, ...order } = await ask<typeof orderPlace>("order/place", fields);
  // Late, when somebody else has logged in on this tab: it is nothing of theirs.
  if (!isOwn(pending)) return order;
  if (acceptance !== null) keepAcceptance(order.orderNo, acceptance);
  takeOrder(order);
  return order;
}

/** Looks for an order by the id that this phone made, among those running and those settled of late. */
export async function findOrder({ clientOrderId, wallet, sentAt }: PendingOrder): Promise<Order | null> {
  const running = await ask<typeof orderPositions>("order/positions", { wallet, limit: 100 });
  // A minute earlier: the phone's idea of the server's clock may have been off.
  const settled = await ask<typeof orderHistory>("order/history", { wallet, limit: 100, from: sentAt - 60_000 });
  return [...running.items, ...settled.items].find((order) => order.clientOrderId === clientOrderId) ?? null;
}

/** One order, kept fresh by the stream; read again every 2 s once it is due, in case the stream is away. */
export function useOrder(orderNo: string): UseQueryResult<Order> {
  return useQuery({
    queryKey: keys.order(orderNo),
    queryFn: async () => forward(await ask<typeof orderDetail>("order/detail", { orderNo })),
    enabled: useLoggedIn(),
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
  /** Instants of acceptance, ms. */
  readonly from?: number;
  readonly to?: number;
}

/** Settled orders, newest first, page by page; each page carries the totals of all that the filters leave. */
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

/** Settled orders of a span as CSV. */
export async function exportOrders(
  wallet: Wallet,
  span: { readonly from?: number; readonly to?: number },
): Promise<Blob> {
  return askBytes<typeof orderExport>("order/export", { wallet, ...span });
}

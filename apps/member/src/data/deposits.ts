import type { Deposit, depositAddress, depositDetail, depositList, depositMethods, Output } from "@fairtick/protocol";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { ask } from "./transport.ts";

export type { Deposit };
export type DepositMethods = Output<typeof depositMethods>;
export type CryptoMethod = DepositMethods["crypto"][number];
export type DepositAddress = Output<typeof depositAddress>;
export type DepositPage = Output<typeof depositList>;

/** Ways to deposit that work now; idle until `wanted`. */
export function useDepositMethods(wanted: boolean): UseQueryResult<DepositMethods> {
  return useQuery({
    queryKey: keys.depositMethods,
    queryFn: () => ask<typeof depositMethods>("deposit/methods", {}),
    enabled: wanted,
  });
}

/** The member's own address on a chain; idle while there is none. */
export function useDepositAddress(chain: string | undefined): UseQueryResult<DepositAddress> {
  return useQuery({
    queryKey: [...keys.member, "depositAddress", chain],
    queryFn: () => ask<typeof depositAddress>("deposit/address", { chain: chain ?? "" }),
    enabled: chain !== undefined,
    staleTime: Infinity,
  });
}

/** Deposits, newest first, page by page, kept fresh by the stream. */
export function useDeposits(): UseInfiniteQueryResult<InfiniteData<DepositPage, string | undefined>> {
  return useInfiniteQuery({
    queryKey: keys.deposits,
    queryFn: ({ pageParam }) =>
      ask<typeof depositList>("deposit/list", { limit: 20, ...(pageParam !== undefined && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** One deposit, kept fresh by the stream. */
export function useDeposit(depositNo: string): UseQueryResult<Deposit> {
  return useQuery({
    queryKey: keys.deposit(depositNo),
    queryFn: () => ask<typeof depositDetail>("deposit/detail", { depositNo }),
    enabled: depositNo !== "",
  });
}

/** Takes a deposit that the stream brought: into its own screen, and into the list, on top where it is new. */
export function takeDeposit(deposit: Deposit): void {
  queryClient.setQueryData(keys.deposit(deposit.depositNo), deposit);
  queryClient.setQueryData<InfiniteData<DepositPage, string | undefined>>(keys.deposits, (before) =>
    before === undefined ? before : { ...before, pages: withDeposit(before.pages, deposit) },
  );
  void queryClient.invalidateQueries({ queryKey: [...keys.member, "funds"] });
}

function withDeposit(pages: readonly DepositPage[], deposit: Deposit): DepositPage[] {
  const isIt = (one: Deposit) => one.depositNo === deposit.depositNo;
  const known = pages.some(({ items }) => items.some(isIt));
  return pages.map(({ items, nextCursor }, place) => ({
    items: known || place > 0 ? items.map((one) => (isIt(one) ? deposit : one)) : [deposit, ...items],
    nextCursor,
  }));
}

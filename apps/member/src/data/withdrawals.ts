import type {
  Fields,
  Output,
  Withdrawal,
  WithdrawalAddress,
  withdrawAddAddress,
  withdrawAddresses,
  withdrawCancel,
  withdrawCheckAddress,
  withdrawCreate,
  withdrawDetail,
  withdrawList,
  withdrawMethods,
  withdrawRemoveAddress,
} from "@fairtick/protocol";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { ask } from "./transport.ts";

export type { Withdrawal, WithdrawalAddress };
export type WithdrawalMethod = Output<typeof withdrawMethods>[number];
export type WithdrawalPage = Output<typeof withdrawList>;

/** Chains that withdrawals can be paid on now; idle until `wanted`. */
export function useWithdrawalMethods(wanted: boolean): UseQueryResult<WithdrawalMethod[]> {
  return useQuery({
    queryKey: keys.withdrawalMethods,
    queryFn: () => ask<typeof withdrawMethods>("withdraw/methods", {}),
    enabled: wanted,
  });
}

/** Reloads the terms after they have changed. */
export function refreshWithdrawalMethods(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.withdrawalMethods });
}

/** Withdrawals, newest first, in pages, kept up to date by the stream. */
export function useWithdrawals(): UseInfiniteQueryResult<InfiniteData<WithdrawalPage, string | undefined>> {
  return useInfiniteQuery({
    queryKey: keys.withdrawals,
    queryFn: ({ pageParam }) =>
      ask<typeof withdrawList>("withdraw/list", { limit: 20, ...(pageParam !== undefined && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** One withdrawal, kept up to date by the stream. */
export function useWithdrawal(withdrawNo: string): UseQueryResult<Withdrawal> {
  return useQuery({
    queryKey: keys.withdrawal(withdrawNo),
    queryFn: () => ask<typeof withdrawDetail>("withdraw/detail", { withdrawNo }),
    enabled: withdrawNo !== "",
  });
}

export interface WithdrawalWish {
  readonly chain: string;
  readonly address: string;
  readonly amount: string;
  readonly tradePassword: string;
  /** As it was shown. */
  readonly fee: string;
  /** The request's id: sending it again asks for the same withdrawal. */
  readonly clientId: string;
  /** Set once the server has asked for it. */
  readonly secondFactor?: string | undefined;
}

/** @throws CallError whose message can be shown as it is. */
export async function requestWithdrawal(wish: WithdrawalWish): Promise<Withdrawal> {
  const made = await ask<typeof withdrawCreate>("withdraw/create", { ...wish });
  takeWithdrawal(made);
  void queryClient.invalidateQueries({ queryKey: keys.withdrawalAddresses });
  return made;
}

export type CheckedAddress = Output<typeof withdrawCheckAddress>;

/** Returns from when on an address can be paid. @throws CallError if no withdrawal may go to it. */
export function checkAddress(chain: string, address: string): Promise<CheckedAddress> {
  return ask<typeof withdrawCheckAddress>("withdraw/checkAddress", { chain, address });
}

/** The member's address book, newest first. */
export function useAddresses(): UseQueryResult<WithdrawalAddress[]> {
  return useQuery({
    queryKey: keys.withdrawalAddresses,
    queryFn: () => ask<typeof withdrawAddresses>("withdraw/addresses", {}),
  });
}

export async function addAddress(fields: Fields<typeof withdrawAddAddress>): Promise<void> {
  await ask<typeof withdrawAddAddress>("withdraw/addAddress", fields);
  await queryClient.invalidateQueries({ queryKey: keys.withdrawalAddresses });
}

export async function removeAddress(addressId: string): Promise<void> {
  await ask<typeof withdrawRemoveAddress>("withdraw/removeAddress", { addressId });
  await queryClient.invalidateQueries({ queryKey: keys.withdrawalAddresses });
}

export async function cancelWithdrawal(withdrawNo: string): Promise<void> {
  takeWithdrawal(await ask<typeof withdrawCancel>("withdraw/cancel", { withdrawNo }));
}

/**
 * Stores a withdrawal from the stream or a call, for its own screen and in the list (at the top if it is new). The
 * stream can overtake the answer of the call that created it, so an older stage than the known one is ignored.
 */
export function takeWithdrawal(withdrawal: Withdrawal): void {
  const known = queryClient.getQueryData<Withdrawal>(keys.withdrawal(withdrawal.withdrawNo));
  if (known !== undefined && known.stageAt > withdrawal.stageAt) return;
  queryClient.setQueryData(keys.withdrawal(withdrawal.withdrawNo), withdrawal);
  queryClient.setQueryData<InfiniteData<WithdrawalPage, string | undefined>>(keys.withdrawals, (before) =>
    before === undefined ? before : { ...before, pages: withWithdrawal(before.pages, withdrawal) },
  );
  void queryClient.invalidateQueries({ queryKey: [...keys.member, "funds"] });
}

function withWithdrawal(pages: readonly WithdrawalPage[], withdrawal: Withdrawal): WithdrawalPage[] {
  const isIt = (one: Withdrawal) => one.withdrawNo === withdrawal.withdrawNo;
  const known = pages.some(({ items }) => items.some(isIt));
  return pages.map(({ items, nextCursor }, place) => ({
    items: known || place > 0 ? items.map((one) => (isIt(one) ? withdrawal : one)) : [withdrawal, ...items],
    nextCursor,
  }));
}

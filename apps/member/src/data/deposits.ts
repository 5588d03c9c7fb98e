import type {
  Deposit,
  depositBank,
  depositCards,
  depositCrypto,
  depositDetail,
  depositList,
  depositMethods,
  depositReceipt,
  Fields,
  Output,
} from "@fairtick/protocol";
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  type UseQueryResult,
} from "@tanstack/react-query";
import { noteCredit } from "./credits.ts";
import { keys, queryClient } from "./queries.ts";
import { ask } from "./transport.ts";

export type { Deposit };
export type DepositMethods = Output<typeof depositMethods>;
export type CryptoMethod = DepositMethods["crypto"][number];
export type ReceivingCard = Output<typeof depositCards>[number];
export type DepositPage = Output<typeof depositList>;

/** Deposit methods that work now, for the member's own region or `region`; idle until `wanted`. */
export function useDepositMethods(wanted: boolean, region = ""): UseQueryResult<DepositMethods> {
  return useQuery({
    queryKey: region === "" ? keys.depositMethods : [...keys.depositMethods, region],
    queryFn: () => ask<typeof depositMethods>("deposit/methods", region === "" ? {} : { region }),
    // Changing the region must not clear a form that is being filled in.
    placeholderData: keepPreviousData,
    enabled: wanted,
  });
}

/** Receiving cards of a region and currency; idle until both are chosen. */
export function useReceivingCards(region: string, currency: string): UseQueryResult<readonly ReceivingCard[]> {
  return useQuery({
    queryKey: [...keys.member, "cards", region, currency],
    queryFn: () => ask<typeof depositCards>("deposit/cards", { region, currency }),
    enabled: region !== "" && currency !== "",
  });
}

/** Announces a bank transfer. The returned deposit says what to send where. */
export async function announceRemittance(fields: Fields<typeof depositBank>): Promise<Deposit> {
  return taken(await ask<typeof depositBank>("deposit/bank", fields));
}

/** Attaches a picture of the transfer receipt to a bank deposit. */
export async function putReceipt(depositNo: string, fileId: string): Promise<Deposit> {
  return taken(await ask<typeof depositReceipt>("deposit/receipt", { depositNo, fileId }));
}

/** Reports a transfer that is late. Returns the claim, or the deposit it was matched to. */
export async function claimTransfer(fields: Fields<typeof depositCrypto>): Promise<Deposit> {
  return taken(await ask<typeof depositCrypto>("deposit/crypto", fields));
}

function taken(deposit: Deposit): Deposit {
  takeDeposit(deposit);
  return deposit;
}

/** Deposits, newest first, in pages, kept up to date by the stream. */
export function useDeposits(): UseInfiniteQueryResult<InfiniteData<DepositPage, string | undefined>> {
  return useInfiniteQuery({
    queryKey: keys.deposits,
    queryFn: ({ pageParam }) =>
      ask<typeof depositList>("deposit/list", { limit: 20, ...(pageParam !== undefined && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** The newest deposits, read when the app starts, comes back into view or is connected again. It fails silently. */
export function useNewestDeposits(): UseQueryResult<DepositPage> {
  return useQuery({
    queryKey: keys.newestDeposits,
    queryFn: () => ask<typeof depositList>("deposit/list", { limit: 5 }),
    meta: { quiet: true },
  });
}

/** One deposit, kept up to date by the stream. */
export function useDeposit(depositNo: string): UseQueryResult<Deposit> {
  return useQuery({
    queryKey: keys.deposit(depositNo),
    queryFn: () => ask<typeof depositDetail>("deposit/detail", { depositNo }),
    enabled: depositNo !== "",
  });
}

/**
 * Stores a deposit from the stream or a call, for its own screen and in the list (at the top if it is new). The stream
 * can overtake the answer of the call that created the deposit, so an older stage than the known one is ignored.
 */
export function takeDeposit(deposit: Deposit): void {
  const known = knownDeposits(deposit.depositNo);
  if (known.some(({ stageAt }) => stageAt > deposit.stageAt)) return;
  if (deposit.state === "deposited" && !known.some(({ state }) => state === "deposited")) noteCredit(deposit);
  queryClient.setQueryData(keys.deposit(deposit.depositNo), deposit);
  queryClient.setQueryData<InfiniteData<DepositPage, string | undefined>>(keys.deposits, (before) =>
    before === undefined ? before : { ...before, pages: withDeposit(before.pages, deposit) },
  );
  void queryClient.invalidateQueries({ queryKey: [...keys.member, "funds"] });
  if (deposit.method === "crypto" && deposit.stage !== "claimed") askForClaims();
}

/** Returns the cached copies of a deposit, from its own screen and from the list. */
function knownDeposits(depositNo: string): readonly Deposit[] {
  const own = queryClient.getQueryData<Deposit>(keys.deposit(depositNo));
  const listed = queryClient.getQueryData<InfiniteData<DepositPage, string | undefined>>(keys.deposits);
  const same = (listed?.pages ?? []).flatMap(({ items }) => items).filter((one) => one.depositNo === depositNo);
  return own === undefined ? same : [own, ...same];
}

/** Reloads the list if it shows claims, because an arriving transfer may replace the claim that waits for it. */
function askForClaims(): void {
  const listed = queryClient.getQueryData<InfiniteData<DepositPage, string | undefined>>(keys.deposits);
  const claims = (listed?.pages ?? []).flatMap(({ items }) => items).filter(({ stage }) => stage === "claimed");
  if (claims.length === 0) return;
  void queryClient.invalidateQueries({ queryKey: keys.deposits });
  for (const { depositNo } of claims) void queryClient.invalidateQueries({ queryKey: keys.deposit(depositNo) });
}

function withDeposit(pages: readonly DepositPage[], deposit: Deposit): DepositPage[] {
  const isIt = (one: Deposit) => one.depositNo === deposit.depositNo;
  const known = pages.some(({ items }) => items.some(isIt));
  return pages.map(({ items, nextCursor }, place) => ({
    items: known || place > 0 ? items.map((one) => (isIt(one) ? deposit : one)) : [deposit, ...items],
    nextCursor,
  }));
}

import { QueryCache, QueryClient, type Query } from "@tanstack/react-query";
import { askAgainAfter, CUT_AGAIN_MS, isCut } from "./ask-again.ts";
import { onReconnected } from "./connection.ts";
import { noteAsking, reportQueryFailure } from "./failures.ts";
import { CallError } from "./transport.ts";

type AnyQuery = Query<unknown, unknown, unknown>;

const calledOff = new WeakMap<AnyQuery, () => void>();

/**
 * Refetches at the next tap anywhere, as the time-out message says, whether or not the part that waits for the answer
 * has its own retry button.
 */
function askAgainAtTap(query: AnyQuery): void {
  addEventListener("click", () => void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true }), {
    once: true,
  });
}

/** Returns which page of a list failed to load, if that is why its query failed. */
function missedPage({
  state,
}: {
  readonly state: Pick<Query["state"], "status" | "fetchMeta">;
}): "forward" | "backward" | null {
  return state.status === "error" ? (state.fetchMeta?.fetchMore?.direction ?? null) : null;
}

/** Retries only the page of a list that failed to load, because the others are there. */
function askForMissedPage(query: AnyQuery, error: unknown): void {
  calledOff.get(query)?.();
  calledOff.set(
    query,
    askAgainAfter(error, () => {
      const direction = missedPage(query);
      if (direction === null || !query.isActive()) return;
      void query.fetch(undefined, { meta: { fetchMore: { direction } } })?.catch(() => undefined);
    }),
  );
}

/**
 * The query cache. Everything that belongs to the member is under the key `member`, so that a logout clears it at
 * once.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.["quiet"] !== true) reportQueryFailure(error, query);
      if (missedPage(query) !== null) askForMissedPage(query, error);
      else if (error instanceof CallError && error.kind === "timeout") askAgainAtTap(query);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      networkMode: "always",
      refetchInterval: (query) => (isCut(query.state.error) && missedPage(query) === null ? CUT_AGAIN_MS : false),
      retry: (failures, error) => isCut(error) && failures < 1,
      retryDelay: 500,
    },
    mutations: { networkMode: "always" },
  },
});

queryClient.getQueryCache().subscribe((event) => {
  if (event.type === "updated" && event.action.type === "fetch") noteAsking(event.query);
});

/** Refetches what screens couldn't load, now that the server is reachable again. */
onReconnected(() => {
  void queryClient.refetchQueries({
    type: "active",
    predicate: (query) => query.state.status === "error" && missedPage(query) === null,
  });
});

/** Fetches again if a fetch is in flight, because its answer may be older than what a push has brought. */
export function askAgainIfAsking(queryKey: readonly unknown[]): void {
  const query = queryClient.getQueryCache().find({ queryKey, exact: true });
  if (query === undefined || query.state.fetchStatus === "idle") return;
  const again = () => queryClient.invalidateQueries({ queryKey, exact: true });
  // A first fetch can't be cancelled, so wait for it.
  if (query.state.data === undefined) query.promise?.then(again, () => undefined);
  else void again();
}

export const keys = {
  deployment: ["deployment"],
  regions: ["regions"],
  instruments: ["instruments"],
  member: ["member"],
  info: ["member", "info"],
  support: ["member", "support"],
  notices: ["notices"],
  memberNotices: ["member", "notices"],
  summary: (wallet: string) => ["member", "summary", wallet],
  positions: (wallet: string) => ["member", "positions", wallet],
  history: (wallet: string) => ["member", "history", wallet],
  order: (orderNo: string) => ["member", "order", orderNo],
  favourites: ["member", "favourites"],
  sessions: ["member", "sessions"],
  orderDevices: ["member", "orderDevices"],
  secondFactors: ["member", "secondFactors"],
  identity: ["member", "identity"],
  depositMethods: ["member", "depositMethods"],
  deposits: ["member", "deposits"],
  newestDeposits: ["member", "newestDeposits"],
  deposit: (depositNo: string) => ["member", "deposit", depositNo],
  withdrawalMethods: ["member", "withdrawalMethods"],
  withdrawalAddresses: ["member", "withdrawalAddresses"],
  withdrawals: ["member", "withdrawals"],
  withdrawal: (withdrawNo: string) => ["member", "withdrawal", withdrawNo],
  text: (name: string, language: string) => ["text", name, language],
} as const;

import { showToast } from "@fairtick/ui";
import { QueryCache, QueryClient, type Query } from "@tanstack/react-query";
import { CallError } from "./transport.ts";

/**
 * Says what went wrong, as the specification's error catalogue has it. An ended session says its own
 * sentence when the login screen opens.
 */
export function reportFailure(error: unknown): void {
  if (error instanceof CallError) {
    if (error.kind !== "session") showToast(error.message);
    return;
  }
  throw error;
}

/**
 * A time-out says to tap the screen: the next tap anywhere asks again, whether or not the part that waits for the answer
 * has a button of its own.
 */
function askAgainAtTap(query: Query<unknown, unknown, unknown>): void {
  addEventListener("click", () => void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true }), {
    once: true,
  });
}

/** Everything that belongs to the member lies under `member`, so that a logout forgets it in one go. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.["quiet"] !== true) reportFailure(error);
      if (error instanceof CallError && error.kind === "timeout") askAgainAtTap(query);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      networkMode: "always",
      retry: (failures, error) => error instanceof CallError && error.kind === "network" && failures < 1,
      retryDelay: 500,
    },
    mutations: { networkMode: "always" },
  },
});

/** Asks again for what is being asked for just now: an answer on its way may be older than what a push has brought. */
export function askAgainIfAsking(queryKey: readonly unknown[]): void {
  const query = queryClient.getQueryCache().find({ queryKey, exact: true });
  if (query === undefined || query.state.fetchStatus === "idle") return;
  const again = () => queryClient.invalidateQueries({ queryKey, exact: true });
  // A first answer cannot be called off: it is waited for.
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
  identity: ["member", "identity"],
  depositMethods: ["member", "depositMethods"],
  deposits: ["member", "deposits"],
  deposit: (depositNo: string) => ["member", "deposit", depositNo],
  withdrawalMethods: ["member", "withdrawalMethods"],
  withdrawals: ["member", "withdrawals"],
  withdrawal: (withdrawNo: string) => ["member", "withdrawal", withdrawNo],
  text: (name: string, language: string) => ["text", name, language],
} as const;

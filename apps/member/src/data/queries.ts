import { QueryCache, QueryClient, type Query } from "@tanstack/react-query";
import { onReconnected } from "./connection.ts";
import { noteAsking, reportQueryFailure } from "./failures.ts";
import { CallError } from "./transport.ts";

/**
 * A time-out says to tap the screen: the next tap anywhere asks again, whether or not the part that waits for the answer
 * has a button of its own.
 */
function askAgainAtTap(query: Query<unknown, unknown, unknown>): void {
  addEventListener("click", () => void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true }), {
    once: true,
  });
}

/** Where no answer came it is asked again after so long, for as long as the screen shows the failure. */
const CUT_AGAIN_MS = 10_000;

function isCut(error: unknown): boolean {
  return error instanceof CallError && error.kind === "network";
}

/** Everything that belongs to the member lies under `member`, so that a logout forgets it in one go. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.["quiet"] !== true) reportQueryFailure(error, query);
      if (error instanceof CallError && error.kind === "timeout") askAgainAtTap(query);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      networkMode: "always",
      refetchInterval: ({ state: { error } }) => (isCut(error) ? CUT_AGAIN_MS : false),
      retry: (failures, error) => isCut(error) && failures < 1,
      retryDelay: 500,
    },
    mutations: { networkMode: "always" },
  },
});

queryClient.getQueryCache().subscribe((event) => {
  if (event.type === "updated" && event.action.type === "fetch") noteAsking(event.query);
});

/** The server is back: what the screen could not show is asked for again. */
onReconnected(() => {
  void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
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

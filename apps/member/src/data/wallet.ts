import type { userSetWallet } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import type { Wallet } from "./account.ts";
import { seeCredit } from "./credits.ts";
import { reportFailure } from "./failures.ts";
import { keys, queryClient } from "./queries.ts";
import { sessionToken, storedWallet, storeWallet, watchSession } from "./session.ts";
import { ask } from "./transport.ts";

let inView: Wallet = storedWallet();
const watchers = new Set<() => void>();

function set(wallet: Wallet): void {
  inView = wallet;
  for (const watcher of watchers) watcher();
}

watchSession(() => {
  set(sessionToken() === null ? "practice" : storedWallet());
});

/** The wallet in view. Running orders keep their own. */
export function useWallet(): Wallet {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => inView,
  );
}

/** Switches to the other wallet at once and tells the server, which remembers the choice for the next login. */
export function chooseWallet(wallet: Wallet): void {
  const before = inView;
  set(wallet);
  storeWallet(wallet);
  if (wallet === "real") seeCredit();
  ask<typeof userSetWallet>("user/setWallet", { wallet })
    .then(() => queryClient.invalidateQueries({ queryKey: keys.info }))
    .catch((error: unknown) => {
      set(before);
      storeWallet(before);
      reportFailure(error);
    });
}

import { useEffect, useSyncExternalStore } from "react";
import type { Wallet } from "../../../data/account.ts";

/** The wallet whose running orders a workspace's dock lists at the moment; null if none does. */
let listed: Wallet | null = null;
const watchers = new Set<() => void>();

function list(wallet: Wallet | null): void {
  if (listed === wallet) return;
  listed = wallet;
  for (const watcher of watchers) watcher();
}

/** Tells the rest of the app which wallet's running orders the dock lists, as long as the dock is there. */
export function useTellListed(wallet: Wallet | null): void {
  useEffect(() => {
    list(wallet);
    return () => {
      list(null);
    };
  }, [wallet]);
}

/** The wallet whose running orders a dock lists, so that nothing else needs to show them. */
export function useListed(): Wallet | null {
  return useSyncExternalStore(watch, () => listed);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

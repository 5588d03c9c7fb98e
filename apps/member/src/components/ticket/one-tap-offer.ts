import { useSyncExternalStore } from "react";
import { changeSettings, currentSettings } from "../../data/settings.ts";
import { readStored, store } from "../../shared/storage.ts";

/** Offered once on this device, after the first order that went through the confirmation. */
let isDue = false;
const watchers = new Set<() => void>();

function set(due: boolean): void {
  isDue = due;
  for (const watcher of watchers) watcher();
}

/** An order was placed. If it was confirmed first, placing with one tap may be offered now. */
export function offerOneTap(): void {
  if (currentSettings().confirmOrders && readStored("fairtickOneTap") === null) set(true);
}

/** The member has answered: from now on with one tap, or with the confirmation as before. Never asked again here. */
export function answerOneTap(isWanted: boolean): void {
  store("fairtickOneTap", isWanted ? "yes" : "no");
  if (isWanted) changeSettings({ confirmOrders: false });
  set(false);
}

/** Whether the offer stands. */
export function useOneTapOffer(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isDue,
  );
}

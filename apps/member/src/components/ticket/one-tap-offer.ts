import { useSyncExternalStore } from "react";
import { changeSettings, currentSettings } from "../../data/settings.ts";
import { readStored, store } from "../../shared/storage.ts";

/** Whether the offer is shown. It comes once per device, after the first order that was confirmed. */
let isDue = false;
const watchers = new Set<() => void>();

function set(due: boolean): void {
  isDue = due;
  for (const watcher of watchers) watcher();
}

/** Shows the offer after an order was placed, if it was confirmed first and the offer wasn't answered before. */
export function offerOneTap(): void {
  if (currentSettings().confirmOrders && readStored("fairtickOneTap") === null) set(true);
}

/** Stores the member's answer, one tap or confirmation as before. The question isn't asked again on this device. */
export function answerOneTap(isWanted: boolean): void {
  store("fairtickOneTap", isWanted ? "yes" : "no");
  if (isWanted) changeSettings({ confirmOrders: false });
  set(false);
}

/** Whether the offer is shown. */
export function useOneTapOffer(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isDue,
  );
}

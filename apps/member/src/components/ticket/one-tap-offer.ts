import { useSyncExternalStore } from "react";
import { changeSettings, currentSettings } from "../../data/settings.ts";
import { readStored, store } from "../../shared/storage.ts";

/** Where the offer stands on this device: shown, or answered. Before the first confirmed order there is no value. */
type Stage = "due" | "yes" | "no";

const KEY = "fairtickOneTap";
const watchers = new Set<() => void>();

function set(stage: Stage): void {
  store(KEY, stage);
  for (const watcher of watchers) watcher();
}

/** Shows the offer after an order was placed, if it was confirmed first and the offer wasn't made before. */
export function offerOneTap(): void {
  if (currentSettings().confirmOrders && readStored(KEY) === null) set("due");
}

/** Stores the member's answer, one tap or confirmation as before. The question isn't asked again on this device. */
export function answerOneTap(isWanted: boolean): void {
  set(isWanted ? "yes" : "no");
  if (isWanted) changeSettings({ confirmOrders: false });
}

/** Whether the offer is due. Kept on the device, because the first order may end after a reload. */
export function useOneTapOffer(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => readStored(KEY) === "due",
  );
}

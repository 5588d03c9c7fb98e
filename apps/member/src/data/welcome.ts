import { useSyncExternalStore } from "react";
import { readStored, removeStored, store } from "../shared/storage.ts";

/** The way of who has just registered here: an offer on home, then hints beside their first order; null once it is over. */
export type WelcomeStage = "due" | "choose" | "figures" | "running";

const STAGES: readonly WelcomeStage[] = ["due", "choose", "figures", "running"];
const KEY = "fairtickWelcome";
const watchers = new Set<() => void>();

function read(): WelcomeStage | null {
  const stored = readStored(KEY);
  return STAGES.find((stage) => stage === stored) ?? null;
}

/** How far the member has got; null where there is nothing to show them. */
export function useWelcome(): WelcomeStage | null {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, read);
}

/** Goes on to that stage, over reloads too. */
export function goOnWelcoming(stage: WelcomeStage): void {
  store(KEY, stage);
  tell();
}

/** Skipped, or over: it doesn't come back. */
export function endWelcome(): void {
  removeStored(KEY);
  tell();
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

import { useSyncExternalStore } from "react";
import { readStored, removeStored, store } from "../shared/storage.ts";

/**
 * The introduction for a new member: an offer on the home screen, then hints during their first order; null once it is
 * over.
 */
export type WelcomeStage = "due" | "choose" | "figures" | "running";

const STAGES: readonly WelcomeStage[] = ["due", "choose", "figures", "running"];
const KEY = "fairtickWelcome";
const watchers = new Set<() => void>();

function read(): WelcomeStage | null {
  const stored = readStored(KEY);
  return STAGES.find((stage) => stage === stored) ?? null;
}

/** How far the member has got; null if there is nothing to show. */
export function useWelcome(): WelcomeStage | null {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, read);
}

/** Moves on to a stage, which survives reloads. */
export function goOnWelcoming(stage: WelcomeStage): void {
  store(KEY, stage);
  tell();
}

/** Ends the introduction for good, because it was skipped or is over. */
export function endWelcome(): void {
  removeStored(KEY);
  tell();
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

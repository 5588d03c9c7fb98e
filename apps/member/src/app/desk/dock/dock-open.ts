import { useSyncExternalStore } from "react";
import { changeLayout, useLayout, type Breakpoint } from "../layout-store.ts";

/** Windows in which an open dock would leave the chart too little height. */
const IS_LOW = matchMedia("(max-height: 719px)");

/** Whether the member opened the dock in a low window. Not stored: in the next one, the chart has the room again. */
let isOpenThere = false;
const watchers = new Set<() => void>();
IS_LOW.addEventListener("change", () => {
  tell(false);
});

function tell(isOpen: boolean): void {
  isOpenThere = isOpen;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether the dock is open. In a low window it is collapsed to its tabs until the member opens it. */
export function useDockOpen(breakpoint: Breakpoint): boolean {
  const { isDockOpen } = useLayout(breakpoint);
  const isLow = useSyncExternalStore(watch, () => IS_LOW.matches);
  const isOpenLow = useSyncExternalStore(watch, () => isOpenThere);
  return isLow ? isOpenLow : isDockOpen;
}

/** Opens or collapses the dock. What is done in a low window leaves the stored layout as it is. */
export function openDock(breakpoint: Breakpoint, isOpen: boolean): void {
  if (IS_LOW.matches) tell(isOpen);
  else changeLayout(breakpoint, { isDockOpen: isOpen });
}

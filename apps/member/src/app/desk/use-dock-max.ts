import { useSyncExternalStore } from "react";
import { BOUNDS, DOCK_SHARE_MAX } from "./layout-store.ts";

/** The maximum height of the dock in CSS pixels: a share of the workspace's height, which follows the window's. */
export function useDockMax(root: HTMLElement | null): number {
  return useSyncExternalStore(watch, () =>
    Math.max(BOUNDS.dock.min, Math.floor((root?.clientHeight ?? innerHeight) * DOCK_SHARE_MAX)),
  );
}

function watch(watcher: () => void): () => void {
  addEventListener("resize", watcher);
  return () => {
    removeEventListener("resize", watcher);
  };
}

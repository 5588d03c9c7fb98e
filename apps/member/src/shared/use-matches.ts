import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query matches. Rerenders when that changes. `query` must stay the same object. */
export function useMatches(query: MediaQueryList): boolean {
  const watch = useCallback(
    (watcher: () => void) => {
      query.addEventListener("change", watcher);
      return () => {
        query.removeEventListener("change", watcher);
      };
    },
    [query],
  );
  return useSyncExternalStore(watch, () => query.matches);
}

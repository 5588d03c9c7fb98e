import { useCallback, useMemo, useSyncExternalStore } from "react";

/** Whether a media query matches. Rerenders when that changes. */
export function useMatches(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  const watch = useCallback(
    (watcher: () => void) => {
      list.addEventListener("change", watcher);
      return () => {
        list.removeEventListener("change", watcher);
      };
    },
    [list],
  );
  return useSyncExternalStore(watch, () => list.matches);
}

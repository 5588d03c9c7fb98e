import { useSyncExternalStore } from "react";

/** Wide enough for something beside the phone; the same figure as in the style sheet. */
const desk = matchMedia("(min-width: 1120px)");

export function useDesk(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      desk.addEventListener("change", watcher);
      return () => {
        desk.removeEventListener("change", watcher);
      };
    },
    () => desk.matches,
  );
}

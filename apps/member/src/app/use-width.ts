import { useSyncExternalStore } from "react";

/** Which of the four layouts the window has room for. */
export type Width = "phone" | "tablet" | "desk" | "wide";

/** From how many CSS pixels on each layout is drawn, widest first; the style sheets use the same figures. */
const LAYOUTS: readonly (readonly [Width, MediaQueryList])[] = [
  ["wide", matchMedia("(min-width: 1760px)")],
  ["desk", matchMedia("(min-width: 1200px)")],
  ["tablet", matchMedia("(min-width: 768px)")],
];

/** The layout for the window as it is; redraws when another one fits. */
export function useWidth(): Width {
  return useSyncExternalStore(watch, fitting);
}

function fitting(): Width {
  return LAYOUTS.find(([, query]) => query.matches)?.[0] ?? "phone";
}

function watch(watcher: () => void): () => void {
  for (const [, query] of LAYOUTS) query.addEventListener("change", watcher);
  return () => {
    for (const [, query] of LAYOUTS) query.removeEventListener("change", watcher);
  };
}

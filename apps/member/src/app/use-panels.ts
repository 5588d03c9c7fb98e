import { useSyncExternalStore } from "react";

/** From where on one panel, and from where on two, stand beside the phone; the same figures as in the style sheet. */
const one = matchMedia("(min-width: 768px)");
const two = matchMedia("(min-width: 1120px)");

/** How many panels fit beside the phone. */
export function usePanels(): 0 | 1 | 2 {
  return useSyncExternalStore(watch, fittingPanels);
}

function fittingPanels(): 0 | 1 | 2 {
  if (two.matches) return 2;
  return one.matches ? 1 : 0;
}

function watch(watcher: () => void): () => void {
  for (const width of [one, two]) width.addEventListener("change", watcher);
  return () => {
    for (const width of [one, two]) width.removeEventListener("change", watcher);
  };
}

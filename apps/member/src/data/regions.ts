import { useSyncExternalStore } from "react";
import { useRegions, type Region } from "./deployment.ts";
import { readRegisterDraft } from "./register-draft.ts";

/** The region that the phone's language speaks of, until the member chooses one. */
function regionOfBrowser(): string | null {
  try {
    return new Intl.Locale(navigator.language).maximize().region ?? null;
  } catch {
    return null;
  }
}

let chosen = readRegisterDraft().region ?? null;
const watchers = new Set<() => void>();

/** The region chosen on the region screen, by its two letters; null before any choice. */
export function useChosenRegion(): Region | null {
  const iso2 = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => chosen,
  );
  return useRegions().data?.find((region) => region.iso2 === iso2) ?? null;
}

/** A dial code to begin with: of the chosen region, else of the phone's own. */
export function useLikelyRegion(): Region | null {
  const chosenRegion = useChosenRegion();
  const regions = useRegions().data;
  const likely = regionOfBrowser();
  return chosenRegion ?? regions?.find((region) => region.iso2 === likely) ?? regions?.[0] ?? null;
}

export function chooseRegion(iso2: string): void {
  chosen = iso2;
  for (const watcher of watchers) watcher();
}

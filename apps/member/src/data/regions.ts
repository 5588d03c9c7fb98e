import { useMemo, useSyncExternalStore } from "react";
import { useRegions, type Region } from "./deployment.ts";
import { guessRegion, placeOfBrowser } from "./likely-region.ts";
import { readRegisterDraft } from "./register-draft.ts";

let chosen = readRegisterDraft().region ?? null;
const watchers = new Set<() => void>();

/** The region that the member chose, found by its two letters; null before any choice. */
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

/** The region that this browser is probably used in, for the member to confirm; null if there are no hints. */
export function useGuessedRegion(): Region | null {
  const regions = useRegions().data;
  return useMemo(() => {
    const guess =
      regions &&
      guessRegion(
        placeOfBrowser(),
        regions.map(({ iso2 }) => iso2),
      );
    return regions?.find(({ iso2 }) => iso2 === guess) ?? null;
  }, [regions]);
}

/** The region whose dial code is preset: the chosen one, or else the guessed one. */
export function useLikelyRegion(): Region | null {
  const chosenRegion = useChosenRegion();
  const guessed = useGuessedRegion();
  const regions = useRegions().data;
  return chosenRegion ?? guessed ?? regions?.[0] ?? null;
}

export function chooseRegion(iso2: string): void {
  chosen = iso2;
  for (const watcher of watchers) watcher();
}

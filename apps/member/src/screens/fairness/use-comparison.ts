import { useEffect, useState } from "react";
import { compareNow, type Comparison } from "../../data/proof/compare-log.ts";

/**
 * Compares another device's log state with this one's; at once if a link brought it.
 *
 * @param fromLink A signed note; null for none
 */
export function useComparison(fromLink: string | null): {
  readonly compare: (theirs: string) => void;
  readonly found: Comparison | null;
  readonly isBusy: boolean;
} {
  const [found, setFound] = useState<Comparison | null>(null);
  const [isBusy, setBusy] = useState(false);
  const compare = (theirs: string) => {
    setBusy(true);
    setFound(null);
    void compareNow(theirs)
      .catch((): Comparison => ({ outcome: "unread", more: 0, mine: "", theirs }))
      .then(setFound)
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    if (fromLink !== null) compare(fromLink);
    // Run once for each link.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [fromLink]);
  return { compare, found, isBusy };
}

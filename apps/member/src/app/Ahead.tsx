import { useEffect, useState, useSyncExternalStore } from "react";
import { currentPlace, watchPlace } from "../shared/navigation.tsx";

/** Shorter loads show no line. */
const NOTICED_AFTER_MS = 250;

/** A thin line over the screen while the next one's code loads, so that every tap has a visible effect. */
export function Ahead({ shown }: { readonly shown: string }) {
  const isAway = useSyncExternalStore(watchPlace, () => currentPlace().path) !== shown;
  const [isNoticed, setIsNoticed] = useState(false);
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setTimeout(() => {
      setIsNoticed(true);
    }, NOTICED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsNoticed(false);
    };
  }, [isAway]);
  return isNoticed ? <div className="ahead" aria-hidden="true" data-testid="ahead" /> : null;
}

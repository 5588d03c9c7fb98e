import { prices } from "../../data/prices.ts";

/**
 * Lets figures elsewhere wait while a finger or the mouse moves the chart in `place`, whose own price goes on. Answers what
 * ends it.
 */
export function holdPricesWhileMoved(place: HTMLElement): () => void {
  let release: (() => void) | null = null;
  const gone = new AbortController();
  const { signal } = gone;
  const onMove = () => {
    release ??= prices.hold();
  };
  const onEnd = () => {
    place.removeEventListener("pointermove", onMove);
    release?.();
    release = null;
  };
  place.addEventListener("pointerdown", () => place.addEventListener("pointermove", onMove, { signal }), { signal });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, onEnd, { signal });
  return () => {
    gone.abort();
    onEnd();
  };
}

import { prices } from "../../data/prices.ts";

/**
 * Holds the redraw of figures elsewhere while a finger or the mouse moves the chart in `place`, whose own price still
 * updates. Returns a function that stops it.
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

import { useEffect, useState } from "react";

/**
 * Whether a result comes with its moment: the path, the figure and the seal one after the other, for an order that was settled before
 * the member's eyes. Any tap or key ends it; everything stands in its place then.
 */
export function useMoment(isFresh: boolean): boolean {
  const [moves, setMoves] = useState(isFresh);
  useEffect(() => {
    if (!moves) return undefined;
    const end = () => setMoves(false);
    addEventListener("pointerdown", end, { capture: true });
    addEventListener("keydown", end, { capture: true });
    return () => {
      removeEventListener("pointerdown", end, { capture: true });
      removeEventListener("keydown", end, { capture: true });
    };
  }, [moves]);
  return moves;
}

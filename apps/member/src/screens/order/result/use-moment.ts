import { useEffect, useState } from "react";

/**
 * Returns whether a result is animated: path, figure and seal appear one after the other for an order that was settled
 * while the member watched. Any tap or key ends the animation and shows everything.
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

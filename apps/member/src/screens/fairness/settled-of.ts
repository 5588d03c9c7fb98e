import type { Sums } from "../../data/fairness.ts";

/** All settled orders. Those that nobody revealed have no direction, and are counted apart. */
export function settledOf({ orders, unrevealed, unrevealedVoided }: Sums): number {
  return orders + unrevealed + unrevealedVoided;
}

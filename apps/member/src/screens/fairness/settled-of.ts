import type { Sums } from "../../data/fairness.ts";

/** Returns the number of settled orders. Unrevealed ones have no direction and are counted separately. */
export function settledOf({ orders, unrevealed, unrevealedVoided }: Sums): number {
  return orders + unrevealed + unrevealedVoided;
}

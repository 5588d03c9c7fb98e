import { equalBytes, type Hashes } from "@fairtick/domain";
import { BOARD_GRACE_MS, type BoardReveal, hashPosting } from "./board.ts";
import type { SettledOrder } from "./order-entry.ts";

/** Looks up the reveals on witnesses' boards. An order with one counts as revealed even if the house denies it. */
export interface BoardLedger {
  /**
   * Finds a reveal of this order that was on a board in time, and describes it in English; null if there is none.
   *
   * @param settledAt When the house settled the order, ms
   * @param revealBy Deadline for revealing the order, ms
   */
  find(order: SettledOrder, settledAt: bigint, revealBy: bigint): string | null;
}

export function createBoardLedger(hashes: Hashes, reveals: readonly BoardReveal[]): BoardLedger {
  const byPlace = Map.groupBy(reveals, ({ posting }) => `${posting.batch}/${posting.place}`);
  return {
    find({ batch, place, opening }, settledAt, revealBy) {
      const seal = opening?.seal ?? null;
      const found = byPlace.get(`${batch}/${place}`)?.find(({ at, posting }) => {
        const isInTime = at < revealBy && at + BOARD_GRACE_MS <= settledAt;
        return isInTime && seal !== null && equalBytes(hashPosting(hashes, posting).seal, seal);
      });
      return found === undefined ? null : `the board of ${found.witness} has its reveal since ${found.at}`;
    },
  };
}

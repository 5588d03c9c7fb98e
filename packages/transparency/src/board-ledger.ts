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
  /** Returns when the house knew this order's reveal from a board at the latest, ms; null if no board has it. */
  knownBy(order: SettledOrder): bigint | null;
}

export function createBoardLedger(hashes: Hashes, reveals: readonly BoardReveal[]): BoardLedger {
  const byPlace = Map.groupBy(reveals, ({ posting }) => `${posting.batch}/${posting.place}`);
  const revealsOf = ({ batch, place, opening }: SettledOrder): BoardReveal[] => {
    const seal = opening?.seal ?? null;
    if (seal === null) return [];
    const posted = byPlace.get(`${batch}/${place}`) ?? [];
    return posted.filter(({ posting }) => equalBytes(hashPosting(hashes, posting).seal, seal));
  };
  return {
    find(order, settledAt, revealBy) {
      const isInTime = ({ at }: BoardReveal) => at < revealBy && at + BOARD_GRACE_MS <= settledAt;
      const found = revealsOf(order).find(isInTime);
      return found === undefined ? null : `the board of ${found.witness} has its reveal since ${found.at}`;
    },
    knownBy(order) {
      const [first, ...others] = revealsOf(order).map(({ at }) => at + BOARD_GRACE_MS);
      return first === undefined ? null : others.reduce((earliest, at) => (at < earliest ? at : earliest), first);
    },
  };
}

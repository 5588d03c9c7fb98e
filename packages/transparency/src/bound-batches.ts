import type { LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

type NextTicks = ReadonlyMap<string, bigint>;

interface Batch {
  /** Number of orders that are not settled yet. */
  left: number;
  /**
   * For each symbol, the first tick that is in no head before the binding one; null while no head has bound the batch.
   */
  next: NextTicks | null;
  /** Orders whose settlement came before the head in the log. They are checked when the head comes. */
  waiting: { readonly index: number; readonly order: SettledOrder }[];
}

/**
 * Checks that no order's entry was public when a head bound its batch. No tick of an earlier head may be an entry of
 * the batch's orders: someone who added an order after that head, however soon, would have known the tick.
 */
export interface BoundBatches {
  accept(entry: LogEntryOf<"orders.accept">): void;
  /** Binds all batches up to number `through`. `next`: for each symbol, the first tick that is in no earlier head. */
  bind(through: number, next: () => NextTicks): void;
  settle(index: number, order: SettledOrder): void;
}

export function createBoundBatches(report: Report): BoundBatches {
  const batches = new Map<number, Batch>();
  const unbound = new Set<number>();

  function check(index: number, order: SettledOrder, next: NextTicks): void {
    const { batch, place, symbol, entrySeq } = order;
    if (entrySeq === null || BigInt(entrySeq) >= (next.get(symbol) ?? 0n)) return;
    faultAt(report, "heads", index, `order ${batch}/${place} was bound after its entry, tick ${entrySeq}, was public`);
  }

  return {
    accept({ batch, commitments }) {
      if (batches.has(batch)) return;
      batches.set(batch, { left: commitments.length / 32, next: null, waiting: [] });
      unbound.add(batch);
    },
    bind(through, next) {
      let made: NextTicks | null = null;
      for (const number of unbound) {
        const batch = batches.get(number);
        if (number > through || batch === undefined) continue;
        made ??= next();
        unbound.delete(number);
        batch.next = made;
        for (const { index, order } of batch.waiting) check(index, order, made);
        batch.waiting = [];
        if (batch.left <= 0) batches.delete(number);
      }
    },
    settle(index, order) {
      const batch = batches.get(order.batch);
      if (batch === undefined) return;
      batch.left -= 1;
      if (batch.next === null) batch.waiting.push({ index, order });
      else check(index, order, batch.next);
      if (batch.left <= 0 && batch.next !== null) batches.delete(order.batch);
    },
  };
}

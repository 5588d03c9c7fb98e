import type { LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

type NextTicks = ReadonlyMap<string, bigint>;

interface Batch {
  /** Orders that are not settled yet. */
  left: number;
  /** For each symbol the first tick that no head before the binding one has; null while no head has bound the batch. */
  next: NextTicks | null;
  /** Orders that were settled before the head was in the log. */
  waiting: { readonly index: number; readonly order: SettledOrder }[];
}

/**
 * What was public when a batch was bound. No tick of a head before the binding one may be an entry of the batch's orders:
 * somebody who added an order afterwards, even very little later, would have known that tick.
 */
export interface BoundBatches {
  accept(entry: LogEntryOf<"orders.accept">): void;
  /** The next head binds all batches up to `through`. */
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

import type { Instant } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { nameOfOrder, type SettledOrder } from "./order-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";

/**
 * How long after the newest price before its binding head a batch may be accepted, ms. That price was public by then,
 * and no order is accepted on an older price (PRICE_STALE).
 */
export const ACCEPTED_WITHIN_MS = 2_000n;

type NextTicks = ReadonlyMap<string, bigint>;

/** The time of each symbol's newest tick in the heads before head `k`, ms. */
export interface PublicPrices {
  readonly k: number;
  readonly newest: ReadonlyMap<string, bigint>;
}

interface Settled {
  /** The index of its settlement's entry. */
  readonly index: number;
  readonly order: SettledOrder;
}

interface Batch {
  readonly acceptedAt: Instant;
  /** False in version 1, which is from before any rule about post-dating. */
  readonly isDated: boolean;
  /** Number of orders that are not settled yet. */
  left: number;
  /**
   * For each symbol, the first tick that is in no head before the binding one; null while no head has bound the batch.
   */
  next: NextTicks | null;
  /** Prices before the binding head; null until that head's own prices are in the log. */
  prices: PublicPrices | null;
  /** Settled orders that still wait for `next` or `prices`. */
  waiting: Settled[];
}

/**
 * Checks two things about an order and the head that bound its batch. Its entry was not public: no tick of an earlier
 * head may be an entry of the batch's orders, since someone who added an order after that head, however soon, would
 * have known the tick. And it was not post-dated: its own symbol had a recent price in an earlier head. Another
 * symbol's price would not do, because the house can date the ticks of a source that signs nothing as it likes.
 */
export interface BoundBatches {
  accept(entry: LogEntryOf<"orders.accept">): void;
  /** Binds all batches up to number `through`. `next`: for each symbol, the first tick that is in no earlier head. */
  bind(through: number, next: () => NextTicks): void;
  /** Adds the prices that were public before the head that binds these batches. */
  price(numbers: readonly number[], prices: PublicPrices): void;
  settle(index: number, order: SettledOrder): void;
}

export function createBoundBatches(report: Report): BoundBatches {
  const batches = new Map<number, Batch>();
  const unbound = new Set<number>();

  /** Lets go of orders, and of the batch with its last order, once everything about them was checked. */
  function release(number: number, batch: Batch): void {
    if (batch.next !== null && batch.prices !== null && batch.waiting.length > 0) batch.waiting = [];
    if (batch.left <= 0 && batch.waiting.length === 0) batches.delete(number);
  }

  return {
    accept({ v, batch, acceptedAt, commitments }) {
      if (batches.has(batch) || commitments.length === 0) return;
      const left = commitments.length / 32;
      batches.set(batch, { acceptedAt, isDated: v === 2, left, next: null, prices: null, waiting: [] });
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
        for (const settled of batch.waiting) checkEntry(report, settled, made);
        release(number, batch);
      }
    },
    price(numbers, prices) {
      for (const number of numbers) {
        const batch = batches.get(number);
        if (batch === undefined) continue;
        batch.prices = prices;
        for (const settled of batch.waiting) checkMoment(report, settled, batch, prices);
        release(number, batch);
      }
    },
    settle(index, order) {
      const batch = batches.get(order.batch);
      if (batch === undefined) return;
      const settled = { index, order };
      batch.left -= 1;
      if (batch.next !== null) checkEntry(report, settled, batch.next);
      if (batch.prices !== null) checkMoment(report, settled, batch, batch.prices);
      if (batch.next === null || batch.prices === null) batch.waiting.push(settled);
      release(order.batch, batch);
    },
  };
}

function checkEntry(report: Report, { index, order }: Settled, next: NextTicks): void {
  const { symbol, entrySeq } = order;
  if (entrySeq === null || BigInt(entrySeq) >= (next.get(symbol) ?? 0n)) return;
  faultAt(report, "heads", index, `${nameOfOrder(order)} was bound after its entry, tick ${entrySeq}, was public`);
}

function checkMoment(report: Report, { index, order }: Settled, batch: Batch, { k, newest }: PublicPrices): void {
  if (!batch.isDated) return;
  const time = newest.get(order.symbol);
  if (time === undefined) {
    const without = `and no head before it has a price of ${order.symbol}`;
    faultAt(report, "heads", index, `${nameOfOrder(order)} was accepted before head ${k}, ${without}`);
  } else if (batch.acceptedAt > time + ACCEPTED_WITHIN_MS) {
    const late = `${batch.acceptedAt - time} ms after the newest price of ${order.symbol} before head ${k}`;
    faultAt(report, "heads", index, `${nameOfOrder(order)} was accepted ${late}`);
  }
}

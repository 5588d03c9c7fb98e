import { ENTRY_WINDOW_MS } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";

interface AwaitingEntry {
  readonly memberId: bigint;
  readonly acceptedAt: bigint;
}

/** Orders accepted this recently may still get their entry: the entry window plus the time for its tick to arrive. */
export const AWAITING_ENTRY_MS = ENTRY_WINDOW_MS + 5_000n;

/** Orders of connected members whose entry price has not been seen yet. */
export class AwaitingEntries {
  readonly #bySymbol = new Map<string, Map<bigint, AwaitingEntry>>();

  /** Follows an order while it is accepted, and stops following it in any other state. */
  follow({ memberId, orderId, order }: { memberId: bigint; orderId: bigint; order: Order }): void {
    const waiting = this.#bySymbol.get(order.symbol) ?? new Map<bigint, AwaitingEntry>();
    if (order.state !== "accepted") waiting.delete(orderId);
    else {
      waiting.set(orderId, { memberId, acceptedAt: BigInt(order.acceptedAt) });
      this.#bySymbol.set(order.symbol, waiting);
    }
  }

  /**
   * Returns the orders whose entry this tick may be, and stops following them. Orders that still have no entry are
   * followed again.
   */
  takeDue(
    { symbol, time }: { readonly symbol: string; readonly time: bigint },
    due: (orderId: bigint, memberId: bigint) => void,
  ): void {
    const waiting = this.#bySymbol.get(symbol);
    if (waiting === undefined) return;
    for (const [orderId, { memberId, acceptedAt }] of waiting) {
      if (time <= acceptedAt) continue;
      waiting.delete(orderId);
      due(orderId, memberId);
    }
  }
}

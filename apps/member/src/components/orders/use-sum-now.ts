import type { Order } from "@fairtick/protocol";
import { useCallback, useSyncExternalStore } from "react";
import { prices } from "../../data/prices.ts";
import { profitAt, sumOf } from "./order-figures.ts";

/** The total result if all of these orders ended now; null while none has an entry and a price. */
export function useSumNow(orders: readonly Order[]): string | null {
  const symbols = [...new Set(orders.map(({ symbol }) => symbol))].join(",");
  const subscribe = useCallback(
    (redraw: () => void) => {
      const stops = symbols.split(",").map((symbol) => prices.subscribe(symbol, "list", redraw));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [symbols],
  );
  return useSyncExternalStore(subscribe, () => {
    const gains = orders.flatMap((order) => {
      const gain = profitAt(order, prices.shown(order.symbol, "list")?.price ?? null);
      return gain === null ? [] : [gain];
    });
    return gains.length === 0 ? null : sumOf(gains);
  });
}

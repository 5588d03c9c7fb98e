import type { Order } from "@fairtick/protocol";
import { useEffect, useState, useSyncExternalStore } from "react";
import { OrderDispatch, type PlaceState } from "./order-dispatch.ts";

/**
 * Returns a screen's state and actions for placing orders, from `order-dispatch.ts`. `onPlaced` may change with each
 * render.
 */
export function usePlaceOrder(
  onPlaced: (order: Order, isOpen: boolean) => void,
): Pick<OrderDispatch, "place" | "allowDevice" | "askAgain" | "reset"> & { readonly state: PlaceState } {
  const [dispatch] = useState(() => new OrderDispatch());
  const state = useSyncExternalStore(dispatch.watch, dispatch.state);
  // Before the effect that opens it, because an order of an earlier page may be reported at once.
  useEffect(() => dispatch.tell(onPlaced), [dispatch, onPlaced]);
  useEffect(() => dispatch.open(), [dispatch]);
  return {
    state,
    place: (order) => dispatch.place(order),
    allowDevice: (tradePassword) => dispatch.allowDevice(tradePassword),
    askAgain: () => dispatch.askAgain(),
    reset: () => dispatch.reset(),
  };
}

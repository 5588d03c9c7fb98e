import type { Order, orderPositions, Output } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { keys, queryClient } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

type Positions = Output<typeof orderPositions>;

/** Running orders of a wallet, newest first; idle for a visitor. */
export function usePositions(wallet: Wallet): UseQueryResult<Positions> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keys.positions(wallet),
    queryFn: () => ask<typeof orderPositions>("order/positions", { wallet, limit: 100 }),
    enabled: loggedIn,
  });
}

/** Takes an order that the stream brought: accepted, open or settled. */
export function takeOrder(order: Order): void {
  queryClient.setQueryData<Positions>(keys.positions(order.wallet), (known) => {
    if (!known) return known;
    const others = known.items.filter((other) => other.orderNo !== order.orderNo);
    if (order.state === "settled") return { ...known, items: others };
    const isNew = others.length === known.items.length;
    const items = isNew
      ? [order, ...known.items]
      : known.items.map((other) => (other.orderNo === order.orderNo ? order : other));
    return { ...known, items };
  });
  queryClient.setQueryData(keys.order(order.orderNo), order);
  if (order.state === "settled") void queryClient.invalidateQueries({ queryKey: keys.history(order.wallet) });
}

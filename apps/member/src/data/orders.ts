import type { Order, orderPositions, Output } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Wallet } from "./account.ts";
import { askAgainIfAsking, keys, queryClient } from "./queries.ts";
import { withOwnChoice } from "./sealed/known-choices.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

type Positions = Output<typeof orderPositions>;

/** How many of a wallet's running orders home lists, the newest ones. */
export const LISTED_AT_HOME = 3;

/** Running orders of a wallet, newest first; idle for a visitor. */
export function usePositions(wallet: Wallet): UseQueryResult<Positions> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keys.positions(wallet),
    queryFn: async () => forwardAll(await ask<typeof orderPositions>("order/positions", { wallet, limit: 100 })),
    enabled: loggedIn,
  });
}

const RANK: Readonly<Record<Order["state"], number>> = { accepted: 0, open: 1, settled: 2 };

/** Returns the cached order, from its own screen or from the running orders, whichever is further on. */
function knownOrder({ orderNo, wallet }: Order): Order | undefined {
  const listed = queryClient.getQueryData<Positions>(keys.positions(wallet))?.items;
  return later(
    queryClient.getQueryData<Order>(keys.order(orderNo)),
    listed?.find((other) => other.orderNo === orderNo),
  );
}

function later(known: Order | undefined, other: Order | undefined): Order | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  return RANK[known.state] > RANK[other.state] ? known : other;
}

/** Returns the order from a call, or the cached one if that is further on: states only go forward. */
export function forward(order: Order): Order {
  return withOwnChoice(later(knownOrder(order), order) ?? order);
}

function forwardAll(answer: Positions): Positions {
  return { ...answer, items: answer.items.map(forward).filter(({ state }) => state !== "settled") };
}

/**
 * Stores an order from the stream or a call: accepted, open or settled. Either can overtake the other, so a state
 * behind the known one is ignored.
 */
export function takeOrder(answered: Order): void {
  const order = withOwnChoice(answered);
  if (forward(order) !== order) return;
  const positions = keys.positions(order.wallet);
  queryClient.setQueryData<Positions>(positions, (known) => {
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
  askAgainIfAsking(positions);
  if (order.state === "settled") void queryClient.invalidateQueries({ queryKey: keys.history(order.wallet) });
}

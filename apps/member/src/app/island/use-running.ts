import type { Order, orderDetail } from "@fairtick/protocol";
import { useEffect, useMemo, useRef } from "react";
import { useMember } from "../../data/account.ts";
import { noteEnding } from "../../data/endings.ts";
import { keepRunning, takeMissed, tellHowTheyEnded } from "../../data/last-running.ts";
import { storedMemberId } from "../../data/member-id.ts";
import { takeOrder, usePositions } from "../../data/orders.ts";
import { keys, queryClient } from "../../data/queries.ts";
import { ask } from "../../data/transport.ts";
import { serverNow } from "../../shared/server-clock.ts";

/** How long after its expiry an order's settlement is fetched, in case the stream is down. */
const OVERDUE_MS = 2_000;

/** Running orders of both wallets, next to end first. Those that end without a push are fetched and announced. */
export function useRunning(): readonly Order[] {
  const member = useMember().data;
  const hasReal = member?.realWalletOpen === true;
  const practice = usePositions("practice").data?.items;
  const other = usePositions(hasReal ? "real" : "practice").data?.items;
  const running = useMemo(() => {
    const all = [...(practice ?? []), ...(hasReal ? (other ?? []) : [])];
    return all.toSorted((left, right) => endOf(left) - endOf(right));
  }, [practice, other, hasReal]);
  const isKnown = practice !== undefined && member !== undefined && (!hasReal || other !== undefined);
  useLookAfter(running, practice !== undefined);
  useMissed(running, isKnown);
  useAskForOverdue(running);
  return running;
}

/** Returns when an order ends, as far as is known: before its entry, the duration after its acceptance. */
function endOf({ expiresAt, acceptedAt, duration }: Order): number {
  return expiresAt ?? acceptedAt + duration * 1000;
}

/** Looks up orders that left the list without a push, because they have ended all the same. */
function useLookAfter(running: readonly Order[], isKnown: boolean): void {
  const before = useRef<readonly Order[]>([]);
  useEffect(() => {
    // After a logout the list is gone, but nothing has ended.
    if (!isKnown) return;
    const gone = before.current.filter((order) => !running.some(({ orderNo }) => orderNo === order.orderNo));
    before.current = running;
    for (const { orderNo } of gone) {
      const known = queryClient.getQueryData<Order>(keys.order(orderNo));
      if (known?.state === "settled") noteEnding(known);
      else void lookUp(orderNo);
    }
  }, [running, isKnown]);
}

/** Looks up, at each opening and login, the orders that ran when the app was last open and have ended since. */
function useMissed(running: readonly Order[], isKnown: boolean): void {
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (!isKnown) {
      opened.current = null;
      return;
    }
    const member = storedMemberId();
    if (opened.current === member) {
      keepRunning(member, running);
      return;
    }
    opened.current = member;
    // If the call fails, the history shows the result all the same.
    void tellHowTheyEnded(takeMissed(member, running)).catch(() => undefined);
  }, [running, isKnown]);
}

async function lookUp(orderNo: string): Promise<void> {
  try {
    const order = await ask<typeof orderDetail>("order/detail", { orderNo });
    takeOrder(order);
    noteEnding(order);
  } catch {
    // The history shows it too.
  }
}

function useAskForOverdue(running: readonly Order[]): void {
  useEffect(() => {
    if (running.length === 0) return undefined;
    const timer = setInterval(() => {
      for (const wallet of new Set(running.filter(isOverdue).map((order) => order.wallet))) {
        void queryClient.invalidateQueries({ queryKey: keys.positions(wallet) });
      }
    }, OVERDUE_MS);
    return () => clearInterval(timer);
  }, [running]);
}

function isOverdue({ expiresAt }: Order): boolean {
  return expiresAt !== null && serverNow() > expiresAt + OVERDUE_MS;
}

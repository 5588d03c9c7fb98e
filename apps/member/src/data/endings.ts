import type { Order } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { sessionToken, watchSession } from "./session.ts";
import { currentSettings, haptic } from "./settings.ts";

/** Orders that ended while the app was open or since it last was, oldest first, until their result was seen or put away. */
let shown: readonly Order[] = [];
/** Numbers of all that were told, so that none is told twice: by the stream and by a call. */
let told = new Set<string>();
const watchers = new Set<() => void>();
let token = sessionToken();

watchSession(() => {
  if (sessionToken() === token) return;
  token = sessionToken();
  told = new Set();
  set([]);
});

function set(next: readonly Order[]): void {
  if (next.length === 0 && shown.length === 0) return;
  shown = next;
  for (const watcher of watchers) watcher();
}

type Ended = NonNullable<Order["outcome"]>;

/**
 * How each outcome feels in the hand, in milliseconds of buzz and pause: one can be told from another without looking,
 * and none is longer or stronger than another by more than that takes.
 */
export const BUZZES: Readonly<Record<Ended, readonly number[]>> = {
  won: [20, 60, 20],
  lost: [60],
  tied: [15, 50, 15, 50, 15],
  voided: [40, 80, 40],
  unrevealed: [60],
};

/** Tells of an order that was settled just now: result, a buzz and a sound, as far as the member wants them. Once for each order. */
export function noteEnding(order: Order): void {
  if (order.outcome === null || !isNews(order)) return;
  haptic(BUZZES[order.outcome]);
  if (currentSettings().sounds) void import("./chime.ts").then(({ chime }) => chime());
  set([...shown, order]);
}

/** Tells of an order that was settled while the app was closed: its result alone. */
export function tellMissed(order: Order): void {
  if (isNews(order)) set([...shown, order]);
}

function isNews({ state, outcome, orderNo }: Order): boolean {
  if (state !== "settled" || outcome === null || told.has(orderNo)) return false;
  told.add(orderNo);
  return true;
}

/** Puts results away: the orders with these numbers, or all. */
export function putAway(orderNos?: readonly string[]): void {
  set(orderNos === undefined ? [] : shown.filter(({ orderNo }) => !orderNos.includes(orderNo)));
}

export function useEndings(): readonly Order[] {
  return useSyncExternalStore(watch, () => shown);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

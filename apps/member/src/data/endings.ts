import type { Order } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { sessionToken, watchSession } from "./session.ts";
import { currentSettings, haptic } from "./settings.ts";

/**
 * Orders whose result the member hasn't seen or dismissed, oldest first. They ended while the app was open, or since
 * then.
 */
let shown: readonly Order[] = [];
/** Numbers of orders already announced. The stream and a call can both report the same one. */
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
 * Vibration patterns by outcome, in milliseconds of buzz and pause. They can be told apart without looking, and none is
 * longer or stronger than another by more than that requires.
 */
export const BUZZES: Readonly<Record<Ended, readonly number[]>> = {
  won: [20, 60, 20],
  lost: [60],
  tied: [15, 50, 15, 50, 15],
  voided: [40, 80, 40],
  unrevealed: [60],
};

/**
 * Announces an order that has just been settled, once: its result, plus vibration and sound if the member wants them.
 */
export function noteEnding(order: Order): void {
  if (order.outcome === null || !isNews(order)) return;
  haptic(BUZZES[order.outcome]);
  if (currentSettings().sounds) void import("./chime.ts").then(({ chime }) => chime());
  set([...shown, order]);
}

/** Announces an order that was settled while the app was closed: its result only. */
export function tellMissed(order: Order): void {
  if (isNews(order)) set([...shown, order]);
}

function isNews({ state, outcome, orderNo }: Order): boolean {
  if (state !== "settled" || outcome === null || told.has(orderNo)) return false;
  told.add(orderNo);
  return true;
}

/** Dismisses results: the orders with these numbers, or all. */
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

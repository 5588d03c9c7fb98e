import { formatId } from "@fairtick/domain";
import { isConnectionLost } from "../../platform/database-errors.ts";
import { sqlState } from "../../platform/database.ts";
import type { Lane } from "../../platform/lane.ts";
import { type OrderKey, settleBatch, type SettledBatch, type SettleTools } from "./settle-batch.ts";

/** What was set aside is tried again after this. */
const RETRY_MS = 60_000;
/** As many are named on `/health/ready`. */
const NAMED_MAX = 5;
/** Lost connections, rollbacks by luck, no resources, an operator, an error of the system, a server that only reads. */
const SHARED_CLASSES = new Set(["08", "25", "40", "53", "57", "58"]);

/** Orders that cannot be settled as their rows stand: nobody waits behind them. A restart tries them all at once. */
export interface Shelf {
  orderIds(): readonly bigint[];
  put(key: OrderKey, now: number): void;
  remove(key: OrderKey): void;
  /** Those whose turn has come; they stay here until they are settled. */
  takeRetries(now: number): readonly OrderKey[];
  /** Names them for whoever looks after the server; undefined while there are none. */
  sentence(): string | undefined;
}

export function createShelf(onChange: () => void, retryMs = RETRY_MS): Shelf {
  const kept = new Map<OrderKey["orderId"], { key: OrderKey; retryAt: number }>();
  return {
    orderIds: () => [...kept.keys()],
    put(key, now) {
      const isNew = !kept.has(key.orderId);
      kept.set(key.orderId, { key, retryAt: now + retryMs });
      if (isNew) onChange();
    },
    remove({ orderId }) {
      if (kept.delete(orderId)) onChange();
    },
    takeRetries(now) {
      const due = [...kept.values()].filter(({ retryAt }) => retryAt <= now);
      for (const each of due) each.retryAt = now + retryMs;
      return due.map(({ key }) => key);
    },
    sentence() {
      if (kept.size === 0) return undefined;
      const named = [...kept.keys()].slice(0, NAMED_MAX).map((orderId) => formatId("order", orderId));
      return `${kept.size} not settled: ${named.join(", ")}`;
    },
  };
}

/** True where the trouble is not in an order's own rows: then nothing is to be split, the same batch is tried again. */
export function isSharedTrouble(lane: Lane, error: unknown): boolean {
  if (!lane.isUsable() || isConnectionLost(error)) return true;
  const state = sqlState(error);
  return state !== undefined && (state === "55P03" || SHARED_CLASSES.has(state.slice(0, 2)));
}

export interface Apart {
  readonly lane: Lane;
  readonly tools: SettleTools;
  readonly shelf: Shelf;
  readonly tell: (settled: SettledBatch) => void;
  readonly isClosed: () => boolean;
}

/** Settles the given orders by halves down to the single one: what fails alone is set aside, the others are settled. */
export async function settleApart(apart: Apart, orders: readonly OrderKey[]): Promise<void> {
  const { lane, tools, shelf, tell, isClosed } = apart;
  const [first] = orders;
  if (first === undefined || isClosed()) return;
  try {
    tell(await settleBatch(lane, tools, orders));
    for (const key of orders) shelf.remove(key);
  } catch (error) {
    if (isSharedTrouble(lane, error)) throw error;
    if (orders.length > 1) {
      const middle = orders.length >> 1;
      await settleApart(apart, orders.slice(0, middle));
      await settleApart(apart, orders.slice(middle));
      return;
    }
    shelf.put(first, performance.now());
    const orderNo = formatId("order", first.orderId);
    tools.log.error({ err: error, orderNo }, "an order could not be settled and is set aside");
  }
}

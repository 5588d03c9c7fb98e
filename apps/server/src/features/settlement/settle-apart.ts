import { formatId } from "@fairtick/domain";
import { isConnectionLost } from "../../platform/database-errors.ts";
import { type Queryable, sqlState } from "../../platform/database.ts";
import type { Lane } from "../../platform/lane.ts";
import { type OrderKey, settleBatch, type SettledBatch, type SettleTools } from "./settle-batch.ts";

/** How long to wait before retrying an order that was set aside. */
const RETRY_MS = 60_000;
/** How many orders `/health/ready` names at most. */
const NAMED_MAX = 5;
/**
 * SQLSTATE classes that have nothing to do with one order: connection, transaction, rollback, resources, operator,
 * system.
 */
const SHARED_CLASSES = new Set(["08", "25", "40", "53", "57", "58"]);

/**
 * Orders that cannot be settled as their rows are. They are set aside so that they hold up no other order, and kept in
 * a table, so that after a restart they are still named and are all retried at once.
 */
export interface Shelf {
  /** Loads the orders that the table holds from an earlier run. */
  load(): Promise<void>;
  orderIds(): readonly bigint[];
  put(key: OrderKey, now: number): Promise<void>;
  remove(keys: readonly OrderKey[]): Promise<void>;
  /** Orders that are due for a retry; they stay on the shelf until they are settled. */
  takeRetries(now: number): readonly OrderKey[];
  /** A sentence naming the orders for the person on call; undefined while there are none. */
  sentence(): string | undefined;
}

export function createShelf(database: Queryable, onChange: () => void, retryMs = RETRY_MS): Shelf {
  const kept = new Map<OrderKey["orderId"], { key: OrderKey; retryAt: number }>();
  let isLoaded = false;
  return {
    async load() {
      if (isLoaded) return;
      // Another process settled it, or this one did just before it ended.
      await database.query(
        "DELETE FROM orders_set_aside a WHERE EXISTS (SELECT FROM settlements s WHERE s.order_id = a.order_id)",
      );
      const rows = await database.query<{ order_id: OrderKey["orderId"]; member_id: OrderKey["memberId"] }>(
        "SELECT order_id, member_id FROM orders_set_aside ORDER BY order_id",
      );
      isLoaded = true;
      for (const row of rows) {
        kept.set(row.order_id, { key: { orderId: row.order_id, memberId: row.member_id }, retryAt: 0 });
      }
      if (rows.length > 0) onChange();
    },
    orderIds: () => [...kept.keys()],
    async put(key, now) {
      const isNew = !kept.has(key.orderId);
      kept.set(key.orderId, { key, retryAt: now + retryMs });
      if (!isNew) return;
      onChange();
      await database.query(
        `INSERT INTO orders_set_aside (order_id, member_id, since)
         VALUES ($1, $2, floor(extract(epoch FROM clock_timestamp()) * 1000)) ON CONFLICT DO NOTHING`,
        [key.orderId, key.memberId],
      );
    },
    async remove(keys) {
      const mine = keys.filter(({ orderId }) => kept.delete(orderId)).map(({ orderId }) => orderId);
      if (mine.length === 0) return;
      onChange();
      await database.query("DELETE FROM orders_set_aside WHERE order_id = ANY ($1::bigint[])", [mine]);
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

/**
 * Returns whether a failure has another cause than one order's own rows. Then splitting the batch is no use, and the
 * same batch is retried.
 */
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

/**
 * Settles the given orders by halves, down to single orders. An order that fails on its own is set aside; the others
 * are settled.
 */
export async function settleApart(apart: Apart, orders: readonly OrderKey[]): Promise<void> {
  const { lane, tools, shelf, tell, isClosed } = apart;
  const [first] = orders;
  if (first === undefined || isClosed()) return;
  try {
    tell(await settleBatch(lane, tools, orders));
    await shelf.remove(orders);
  } catch (error) {
    if (isSharedTrouble(lane, error)) throw error;
    if (orders.length > 1) {
      const middle = orders.length >> 1;
      await settleApart(apart, orders.slice(0, middle));
      await settleApart(apart, orders.slice(middle));
      return;
    }
    await shelf.put(first, performance.now());
    const orderNo = formatId("order", first.orderId);
    tools.log.error({ err: error, orderNo }, "an order could not be settled and is set aside");
  }
}

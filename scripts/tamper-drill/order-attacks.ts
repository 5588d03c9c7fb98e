import { parseId } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import type { Attack } from "./attack.ts";
import type { Kept, Member } from "./member.ts";
import type { Product } from "../own-product.ts";

/** Returns the database's number of an order. */
export function orderIdOf({ orderNo }: Kept): bigint {
  const id = parseId("order", orderNo);
  if (id === null) throw new Error(`${orderNo} isn't an order number`);
  return id;
}

/** Returns attacks on settled orders, each on an order of its own, so that no attack hides another's traces. */
export async function orderAttacks(product: Product, orders: readonly Kept[]): Promise<Attack[]> {
  const [direction, stake, rate, expiry, entry, exit, wrong, used] = orders;
  const edit = (what: string, order: Kept | undefined, change: string): Attack => bend("orders", what, order, change);
  const settle = (what: string, order: Kept | undefined, change: string) => bend("settlements", what, order, change);
  const winner = await findWinner(product, orders.slice(8));
  return [
    edit(
      "edit an order's direction",
      direction,
      "direction = CASE direction WHEN 'up' THEN 'down'::direction ELSE 'up' END",
    ),
    edit("edit an order's stake", stake, "stake = stake * 10"),
    edit("edit an order's payout rate", rate, "payout_rate = payout_rate - 100000"),
    edit("edit an order's expiry", expiry, "duration = 60"),
    settle("edit a settled order's entry", entry, "entry_price = entry_price + 100"),
    settle("edit a settled order's exit", exit, "exit_price = exit_price + 100"),
    settle(
      "settle against the wrong tick (the one before)",
      wrong,
      `(exit_seq, exit_at, exit_price) = (SELECT seq, time, price FROM ticks WHERE symbol = 'EURUSD' AND seq = exit_seq - 1)`,
    ),
    settle(
      "void an order because it won",
      winner,
      "outcome = 'voided', void_reason = 'STALE_EXIT', profit = 0, credit = 10000000",
    ),
    await bendUsedTick(product, used),
  ];
}

function bend(table: string, what: string, order: Kept | undefined, change: string): Attack {
  if (order === undefined) throw new Error(`no order is left for: ${what}`);
  const where = `order_id = ${orderIdOf(order)}`;
  return { what, order, rows: [{ table, where }], statement: `UPDATE ${table} SET ${change} WHERE ${where}` };
}

async function findWinner(product: Product, orders: readonly Kept[]): Promise<Kept | undefined> {
  const rows = await product.sql<{ order_id: string }>("SELECT order_id FROM settlements WHERE outcome = 'won'");
  const won = new Set(rows.map((row) => row.order_id));
  return orders.find((order) => won.has(String(orderIdOf(order))));
}

async function bendUsedTick(product: Product, order: Kept | undefined): Promise<Attack> {
  if (order === undefined) throw new Error("no order is left for a tick");
  const [row] = await product.sql<{ entry_at: string }>("SELECT entry_at FROM settlements WHERE order_id = $1", [
    orderIdOf(order),
  ]);
  return bendTick("bend a tick after an order was settled on it", order, row?.entry_at ?? "0");
}

/** Changes the entry tick of a running order, which is used to decide it half a minute later. */
export async function bendWaitingTick(product: Product, member: Member): Promise<Attack> {
  const order = await member.place("up");
  const time = await waitUntil("the entry tick", async () => {
    const [row] = await product.sql<{ time: string | null }>(
      "SELECT min(t.time) AS time FROM ticks t JOIN orders o ON o.order_id = $1 WHERE t.symbol = 'EURUSD' AND t.time > o.accepted_at",
      [orderIdOf(order)],
    );
    return row?.time ?? null;
  });
  return bendTick("bend a tick before an order is settled on it", order, time);
}

function bendTick(what: string, order: Kept, time: string): Attack {
  const where = `symbol = 'EURUSD' AND time = ${time}`;
  const statement = `UPDATE ticks SET price = price + 100 WHERE ${where}`;
  return { what, order, rows: [{ table: "ticks", where }], statement };
}

export function deleteOrder(order: Kept): Attack {
  const tables = ["settlements", "orders"];
  const where = `order_id = ${orderIdOf(order)}`;
  return {
    what: "delete an order, with its settlement",
    order,
    rows: tables.map((table) => ({ table, where })),
    statement: tables.map((table) => `DELETE FROM ${table} WHERE ${where}`).join("; "),
  };
}

/**
 * Inserts a copy with the other direction into an old batch. Whoever gains won't complain, so no receipt is checked.
 */
export function insertBackDated(order: Kept): Attack {
  const id = orderIdOf(order);
  const columns = `member_id, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after, payout_rate,
    duration, config_version, wallet, symbol, nonce`;
  return {
    what: "insert a back-dated order into an old batch",
    order: null,
    rows: [{ table: "orders", where: `order_id = ${id + 1n}` }],
    statement: `INSERT INTO orders (order_id, member_seq, batch_place, direction, client_order_id, client_key, ${columns})
      SELECT order_id + 1, member_seq, batch_place + 1, CASE direction WHEN 'up' THEN 'down'::direction ELSE 'up' END,
        'back-dated', client_key('back-dated'), ${columns} FROM orders WHERE order_id = ${id}`,
  };
}

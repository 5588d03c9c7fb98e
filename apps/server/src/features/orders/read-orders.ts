import type { MemberId, OrderId } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { arrayText } from "../../platform/lane.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { ORDER_COLUMNS, ORDER_JOINS, type OrderRow, orderView } from "./order-view.ts";

/** Dependencies of the functions that read orders. */
export interface OrderReading {
  readonly databases: Context["databases"];
  readonly configs: TradingConfigs;
}

/** Reads orders by member and id (parallel arrays, as sent on the bus) together with their members. Unknown ones are left out. */
export async function readOrders(
  { databases, configs }: OrderReading,
  members: readonly bigint[],
  orderIds: readonly bigint[],
): Promise<{ readonly memberId: MemberId; readonly orderId: OrderId; readonly order: Order }[]> {
  return viewsOf(await readOrderRows(databases, members, orderIds), configs);
}

/** Reads the same orders as stored rows. */
export async function readOrderRows(
  databases: OrderReading["databases"],
  members: readonly bigint[],
  orderIds: readonly bigint[],
): Promise<OrderRow[]> {
  return databases.reader.query<OrderRow>(
    `SELECT ${ORDER_COLUMNS} FROM unnest($1::bigint[], $2::bigint[]) AS asked(member_id, order_id)
     JOIN orders o ON o.member_id = asked.member_id AND o.order_id = asked.order_id ${ORDER_JOINS}`,
    [arrayText(members), arrayText(orderIds)],
    "orders_read",
  );
}

/** Reads one order of a member; undefined if they have no such order. */
export async function readOrder(
  reading: OrderReading,
  memberId: MemberId,
  orderId: OrderId,
): Promise<Order | undefined> {
  const [found] = await readOrders(reading, [memberId], [orderId]);
  return found?.order;
}

export async function viewsOf(
  rows: readonly OrderRow[],
  configs: TradingConfigs,
): Promise<{ readonly memberId: MemberId; readonly orderId: OrderId; readonly order: Order }[]> {
  if (rows.length > 0) await configs.know(Math.max(...rows.map((row) => row.config_version)));
  return rows.map((row) => ({
    memberId: row.member_id as MemberId,
    orderId: row.order_id as OrderId,
    order: orderView(row, configs),
  }));
}

import { accept, parseId, refuse } from "@fairtick/domain";
import {
  orderDetail,
  orderExport,
  orderHistory,
  orderPlace,
  orderPositions,
  orderQuote,
  orderReveal,
} from "@fairtick/protocol";
import { csvFile } from "../../platform/csv.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { nameRegionRule } from "../members/index.ts";
import { eachSettledOrder, listHistory, listPositions } from "./list-orders.ts";
import { placeOrder, type Placing } from "./place-order.ts";
import { quoteOrder } from "./quote-order.ts";
import { revealOrder, type Revealing } from "./reveal-order.ts";
import { readOrder } from "./read-orders.ts";

/** Returns the routes about orders. */
export function orderRoutes(placing: Placing & Revealing): Route[] {
  return [
    route(orderQuote, ({ input, session, now }) => quoteOrder(placing, session?.memberId ?? null, input, now)),
    route(orderPlace, async ({ input, session }) =>
      nameRegionRule(placing, session.memberId, await placeOrder(placing, session.memberId, input)),
    ),
    route(orderReveal, ({ input, session }) => revealOrder(placing, session?.memberId ?? null, input)),
    route(orderPositions, ({ input, session }) => listPositions(placing, session.memberId, input)),
    route(orderHistory, ({ input, session }) => listHistory(placing, session.memberId, input)),
    route(orderDetail, async ({ input, session }) => {
      const orderId = parseId("order", input.orderNo);
      const order = orderId === null ? undefined : await readOrder(placing, session.memberId, orderId);
      return order === undefined ? refuse("NOT_FOUND") : accept(order);
    }),
    route(orderExport, ({ input, session }) =>
      csvFile("fairtick-orders.csv", ORDER_EXPORT_COLUMNS, eachSettledOrder(placing, session.memberId, input)),
    ),
  ];
}

/** Columns of an order in an exported file, in this order. */
export const ORDER_EXPORT_COLUMNS = [
  "orderNo",
  "wallet",
  "symbol",
  "direction",
  "stake",
  "fee",
  "payoutRate",
  "limitPrice",
  "duration",
  "outcome",
  "acceptedAt",
  "entryAt",
  "entryPrice",
  "expiresAt",
  "exitAt",
  "exitPrice",
  "settledAt",
  "profit",
  "voidReason",
  "configVersion",
] as const;

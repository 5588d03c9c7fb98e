export { type AcceptanceSwitch, createAcceptanceSwitch } from "./acceptance-switch.ts";
export { type Collector } from "./collector.ts";
export { type Acceptance, openAcceptance, type OrderNode, takeOrderNode } from "./open-acceptance.ts";
export { eachSettledOrder, listHistory, listPositions } from "./list-orders.ts";
export { ORDER_EXPORT_COLUMNS, orderRoutes } from "./order-routes.ts";
export type { OrderWish, PlaceOutcome } from "./order-wish.ts";
export { placeOrder, type PlaceOrderInput, type Placing } from "./place-order.ts";
export { type OrderReading, readOrders } from "./read-orders.ts";
export { readBatch, type StoredBatch } from "./read-acceptance.ts";

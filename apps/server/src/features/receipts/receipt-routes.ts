import { parseId, refuse } from "@fairtick/domain";
import { orderReceipt } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { buildReceipt, type ReceiptParts } from "./build-receipt.ts";

/** Returns the route of the call for an order's receipt. */
export function receiptRoutes(parts: ReceiptParts): Route[] {
  return [
    route(orderReceipt, ({ input, session }) => {
      const orderId = parseId("order", input.orderNo);
      return orderId === null ? refuse("NOT_FOUND") : buildReceipt(parts, session.memberId, orderId);
    }),
  ];
}

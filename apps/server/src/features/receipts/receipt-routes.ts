import { parseId, refuse } from "@fairtick/domain";
import { orderReceipt } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { buildReceipt, type ReceiptParts } from "./build-receipt.ts";

/** The call that answers the proof of how an order was decided. */
export function receiptRoutes(parts: ReceiptParts): Route[] {
  return [
    route(orderReceipt, ({ input, session }) => {
      const orderId = parseId("order", input.orderNo);
      return orderId === null ? refuse("NOT_FOUND") : buildReceipt(parts, session.memberId, orderId);
    }),
  ];
}

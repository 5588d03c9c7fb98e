export { buildReceipt, type ReceiptParts } from "./build-receipt.ts";
export { receiptRoutes } from "./receipt-routes.ts";

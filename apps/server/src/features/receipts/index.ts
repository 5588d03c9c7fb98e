export { buildReceipt, type ReceiptParts } from "./build-receipt.ts";
export { type LoggedEntry, openLoggedEntries } from "./logged-entries.ts";
export { receiptRoutes } from "./receipt-routes.ts";

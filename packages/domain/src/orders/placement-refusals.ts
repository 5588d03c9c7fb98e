import type { ErrorName, Refusal } from "../base/refusal.ts";

/**
 * Why `placeOrders` refuses an order, in the order of its checks: the first reason that applies is given. A client id
 * that the batch accepted before comes first of all, and its second use for another order is the first reason here.
 */
export const PLACEMENT_REFUSALS = [
  "CLIENT_ID_REUSED",
  "SUSPENDED",
  "EXCLUDED",
  "CLOSED",
  "REGION_BLOCKED",
  "TRADE_PASSWORD_NOT_SET",
  "REGION_PRACTICE_ONLY",
  "DEVICE_UNKNOWN",
  "SIGNATURE_WRONG",
  "SEEN_UNKNOWN",
  "LATE",
  "INSTRUMENT_UNKNOWN",
  "REGION_NOT_OFFERED",
  "INSTRUMENT_SUSPENDED",
  "INSTRUMENT_CLOSED",
  "PRICE_STALE",
  "DURATION_NOT_OFFERED",
  "STAKE_BELOW_MINIMUM",
  "STAKE_ABOVE_MAXIMUM",
  "MEMBER_LIMIT",
  "EXPOSURE_LIMIT",
  "INSUFFICIENT_BALANCE",
  "QUOTE_CHANGED",
] as const satisfies readonly ErrorName[];

/** A refusal by `placeOrders`. */
export type PlacementRefusal = Refusal<(typeof PLACEMENT_REFUSALS)[number]>;

/**
 * Refusal reasons in the public log that the catalogues translate: those of `placeOrders` in the domain, and of its
 * caller.
 */
export const REFUSAL_REASONS: ReadonlySet<string> = new Set([
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
  "CLIENT_ID_REUSED",
  "NOT_FOUND",
  "NOT_NOW",
  "LOG_BEHIND",
]);

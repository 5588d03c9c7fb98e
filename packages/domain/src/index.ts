/**
 * The rules of the house, as functions from values to values: no database, no clock, no network.
 * There is one folder per subject; `orders/` decides what an order costs, what it pays and how it ends.
 */

export * from "./base/assert.ts";
export * from "./base/ids.ts";
export * from "./base/loopback-host.ts";
export type * from "./base/nominal.ts";
export * from "./base/refusal.ts";
export * from "./base/time.ts";

export * from "./money/decimal.ts";
export * from "./money/fund-record.ts";
export * from "./money/ledger.ts";
export * from "./money/money-text.ts";
export * from "./money/money.ts";
export * from "./money/rounding.ts";
export * from "./money/summary.ts";
export * from "./money/wallet.ts";

export * from "./market/candle.ts";
export * from "./market/instrument-prices.ts";
export * from "./market/instrument.ts";
export * from "./market/market-hours.ts";
export * from "./market/new-york.ts";
export * from "./market/price.ts";
export * from "./market/beacon-time.ts";
export * from "./market/sm1-epoch.ts";
export * from "./market/sm1.ts";
export * from "./market/sm2.ts";
export type * from "./market/tick.ts";

export * from "./orders/commitment.ts";
export * from "./orders/due-state.ts";
export * from "./orders/order-device.ts";
export * from "./orders/order-limits.ts";
export * from "./orders/order-payload.ts";
export * from "./orders/order.ts";
export type * from "./orders/placement.ts";
export { PLACEMENT_REFUSALS } from "./orders/placement-refusals.ts";
export * from "./orders/place-orders.ts";
export * from "./orders/quote.ts";
export * from "./orders/seal.ts";
export { REMOVED_WITHIN_MS, SEEN_WITHIN_MS } from "./orders/sealed-rules.ts";
export * from "./orders/settle.ts";
export * from "./orders/settlement-due.ts";

export * from "./transfers/deposit.ts";
export * from "./transfers/tron-address.ts";
export * from "./transfers/tron-transaction.ts";
export * from "./transfers/withdrawal-terms.ts";
export * from "./transfers/withdrawal.ts";

export * from "./bank/bank.ts";
export * from "./bank/mask-cards.ts";

export * from "./members/choose-vip.ts";
export * from "./members/credit-score.ts";
export * from "./members/describe-device.ts";
export * from "./members/hours.ts";
export { namesTheHouse } from "./members/house-names.ts";
export * from "./members/identity.ts";
export * from "./members/member.ts";
export * from "./members/payment-password.ts";
export * from "./members/regions.ts";
export * from "./members/support-hours.ts";

export { type NewInstrument, type SimulatedWish, wrongIdentity } from "./config/add-instrument.ts";
export * from "./config/change-config.ts";
export * from "./config/first-config.ts";
export * from "./config/rebase-version.ts";

export * from "./log/bytes.ts";
export * from "./log/canonical-json.ts";
export type * from "./log/hashes.ts";
export * from "./log/merkle.ts";

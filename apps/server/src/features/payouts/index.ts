export type { EvmPayoutNode, GasPrice } from "./payout-node.ts";
export {
  callPerson,
  finalHeight,
  findPayoutInstance,
  newPayoutMemory,
  type PayoutInstance,
  type PayoutMemory,
  type PayoutParts,
} from "./payout-parts.ts";
export { type Payouts, startPayouts } from "./start-payouts.ts";

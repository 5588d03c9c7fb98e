export { announceWithdrawals, type MovedWithdrawal } from "./announce-withdrawals.ts";
export { readWithdrawals } from "./list-withdrawals.ts";
export { APPROVAL_MS } from "./request-withdrawal.ts";
export { tellOfEnded, tellOfWithdrawal } from "./tell-of-withdrawal.ts";
export type { WithdrawalContext } from "./withdrawal-context.ts";
export { withdrawalRoutes } from "./withdrawal-routes.ts";
export {
  readWithdrawalTerms,
  seedWithdrawalTerms,
  withdrawalsFromJson,
  withdrawalsToJson,
} from "./withdrawal-terms.ts";
export {
  formatWithdrawNo,
  parseWithdrawNo,
  paymentOf,
  payoutWaitOf,
  WITHDRAWAL_SELECT,
  type WithdrawalRow,
} from "./withdrawal-view.ts";

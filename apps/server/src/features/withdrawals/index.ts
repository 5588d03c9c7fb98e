export { announceWithdrawals, type MovedWithdrawal } from "./announce-withdrawals.ts";
export { readWithdrawals } from "./list-withdrawals.ts";
export { openSignerDoor, type SignerDoor, SignerProblem } from "./signer-door.ts";
export { type Payouts, startPayouts } from "./start-payouts.ts";
export { tellOfEnded } from "./tell-of-withdrawal.ts";
export type { WithdrawalContext } from "./withdrawal-context.ts";
export { withdrawalRoutes } from "./withdrawal-routes.ts";
export { withdrawalDeskRoutes } from "./withdrawal-desk-routes.ts";
export { seedWithdrawalTerms, withdrawalsFromJson, withdrawalsToJson } from "./withdrawal-terms.ts";

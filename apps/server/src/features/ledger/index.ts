export {
  addExposureStep,
  LOCK_MEMBERS,
  lockedMoneyOf,
  type LockedMoney,
  lockFor,
  READ_EXPOSURE,
  type SumsBySymbol,
  type WalletToWrite,
  writeMoneySteps,
} from "./money-rows.ts";
export { checkInvariants, type Violation } from "./check-invariants.ts";
export { eachFundRecord, listFundRecords } from "./list-fund-records.ts";
export { ledgerRoutes } from "./ledger-routes.ts";
export { readSummaries } from "./read-summary.ts";
export { type RefillContext } from "./refill-practice.ts";
export { seedHouseCapital } from "./seed-house-capital.ts";
export { STILL_RUNS } from "./still-runs.ts";
export { type NewTransfer, writeTransfer } from "./transfer-rows.ts";
export { wordRecords } from "./word-records.ts";
export { type InvariantCheck, type InvariantWatch, watchInvariants } from "./watch-invariants.ts";

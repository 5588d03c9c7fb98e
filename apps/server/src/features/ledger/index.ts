export {
  addExposureStep,
  LOCK_MEMBERS,
  READ_EXPOSURE,
  type SumsBySymbol,
  WALLET_COLUMNS,
  walletsOfRow,
  type WalletToWrite,
  writeMoneySteps,
} from "./money-rows.ts";

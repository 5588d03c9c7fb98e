export {
  ASKED_MS,
  type FactorPurpose,
  forgetChallenges,
  keepSetUp,
  readSetUp,
  type SetUp,
  takeSetUp,
} from "./challenges.ts";
export {
  deleteFactor,
  deleteRecoveryCodes,
  formatPasskeyId,
  hasFactor,
  insertPasskey,
  lockMember,
  putTotp,
  readFactors,
  replaceRecoveryCodes,
} from "./factor-rows.ts";
export {
  askPasskeys,
  type FactorAsk,
  type FactorContext,
  type FactorUse,
  hasSecondFactor,
  judgeSecondFactor,
  parseJson,
  spendSecondFactor,
  wrongFactor,
} from "./judge-factor.ts";

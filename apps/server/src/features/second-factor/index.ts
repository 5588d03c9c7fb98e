export type { FactorPurpose } from "./challenges.ts";
export {
  type FactorAsk,
  type FactorUse,
  hasSecondFactor,
  judgeSecondFactor,
  spendSecondFactor,
  wrongFactor,
} from "./judge-factor.ts";
export { secondFactorRoutes } from "./second-factor-routes.ts";

import {
  changeRegions,
  changeWithdrawals,
  formatMoney,
  RATE_ONE,
  refuse,
  refuseBeyondSigner,
  regionDifferences,
  type RegionsPolicy,
  withdrawalDifferences,
  withdrawalNoticeMs,
  type WithdrawalPolicy,
  wrongRegionsField,
  wrongWithdrawalFigure,
} from "@fairtick/domain";
import {
  regionTermsApprove,
  regionTermsList,
  regionTermsPropose,
  regionTermsProposeAgain,
  regionTermsReject,
  withdrawalTermsApprove,
  withdrawalTermsList,
  withdrawalTermsPropose,
  withdrawalTermsProposeAgain,
  withdrawalTermsReject,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { regionsFromJson, regionsToJson } from "../regions/index.ts";
import { openSignerDoor, SignerProblem } from "../signer/index.ts";
import { withdrawalsFromJson, withdrawalsToJson } from "../withdrawals/index.ts";
import {
  approvePolicy,
  listPolicy,
  type PolicyKind,
  proposePolicy,
  proposePolicyAgain,
  rejectPolicy,
} from "./change-policy.ts";

const REGIONS: PolicyKind<RegionsPolicy> = {
  name: "regions",
  toJson: regionsToJson,
  fromJson: regionsFromJson,
  differences: regionDifferences,
  wrong: wrongRegionsField,
};

const WITHDRAWALS: PolicyKind<WithdrawalPolicy> = {
  name: "withdrawals",
  toJson: withdrawalsToJson,
  fromJson: withdrawalsFromJson,
  differences: withdrawalDifferences,
  wrong: wrongWithdrawalFigure,
  noticeMs: withdrawalNoticeMs,
};

/**
 * Routes for the rules that are changed in versions besides the trading configuration: regions and withdrawal terms.
 */
export function policyDeskRoutes(context: OperatorContext): OperatorRoute[] {
  return [...regionRoutes(context), ...withdrawalRoutes(context)];
}

function regionRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(regionTermsList, async ({ db }) => {
      const { current, ...lists } = await listPolicy(db, REGIONS);
      const regions = current.regions.map(({ iso2, policy, deposits, products, legalAge, rule }) => ({
        iso2,
        policy,
        deposits,
        products: [...products],
        legalAge,
        rule: rule === null ? null : { ...rule },
      }));
      return { regions, ...lists };
    }),
    operatorRoute(regionTermsPropose, async ({ db, session, input, about }) => {
      const made = await proposePolicy(context, db, session, REGIONS, input, (newest, next) =>
        changeRegions(newest, input.regions, next),
      );
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(regionTermsProposeAgain, ({ db, session, input }) =>
      proposePolicyAgain(context, db, session, REGIONS, input),
    ),
    operatorRoute(regionTermsApprove, ({ db, session, input }) => approvePolicy(db, session, REGIONS, input)),
    operatorRoute(regionTermsReject, ({ db, session, input }) => rejectPolicy(db, session, REGIONS, input)),
  ];
}

function withdrawalRoutes(context: OperatorContext): OperatorRoute[] {
  const payable = payableTerms(context);
  return [
    operatorRoute(withdrawalTermsList, async ({ db }) => {
      const { current, ...lists } = await listPolicy(db, WITHDRAWALS);
      const { minimum, maximum, fee, dayMax, automaticMax, singleMax } = current;
      const terms = {
        minimum: formatMoney(minimum),
        maximum: formatMoney(maximum),
        fee: formatMoney(fee),
        dayMax: dayMax === null ? null : formatMoney(dayMax),
        automaticMax: formatMoney(automaticMax),
        singleMax: formatMoney(singleMax),
      };
      return { terms, ...lists };
    }),
    operatorRoute(withdrawalTermsPropose, async ({ db, session, input, about }) => {
      const kind = await payable();
      if (kind === null) return refuse("NOT_NOW");
      const made = await proposePolicy(context, db, session, kind, input, (newest, next) =>
        changeWithdrawals(newest, input, next),
      );
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(withdrawalTermsProposeAgain, async ({ db, session, input }) => {
      const kind = await payable();
      return kind === null ? refuse("NOT_NOW") : proposePolicyAgain(context, db, session, kind, input);
    }),
    operatorRoute(withdrawalTermsApprove, async ({ db, session, input }) => {
      const kind = await payable();
      return kind === null ? refuse("NOT_NOW") : approvePolicy(db, session, kind, input);
    }),
    operatorRoute(withdrawalTermsReject, ({ db, session, input }) => rejectPolicy(db, session, WITHDRAWALS, input)),
  ];
}

/**
 * Returns a function that gives the kind of withdrawal terms, with a refusal of terms beyond the signer's current limits.
 * It gives null while the signer doesn't answer.
 */
function payableTerms(context: OperatorContext): () => Promise<PolicyKind<WithdrawalPolicy> | null> {
  const { signer: address, chains } = context.config;
  const signer = address === null ? null : openSignerDoor(address);
  const rates = chains.length === 0 ? [RATE_ONE] : chains.map(({ rate }) => rate);
  return async () => {
    if (signer === null) return WITHDRAWALS;
    try {
      const { paymentMax, singleMax, dayMax } = await signer.state();
      const limits = { paymentMax: BigInt(paymentMax), singleMax: BigInt(singleMax), dayMax: BigInt(dayMax) };
      const refused = (policy: WithdrawalPolicy) => rates.map((rate) => refuseBeyondSigner(policy, limits, rate));
      return { ...WITHDRAWALS, refuse: (policy) => refused(policy).find((one) => one !== null) ?? null };
    } catch (error) {
      if (error instanceof SignerProblem) return null;
      throw error;
    }
  };
}

import { changeRegions, regionDifferences, type RegionsPolicy } from "@fairtick/domain";
import {
  regionTermsApprove,
  regionTermsList,
  regionTermsPropose,
  regionTermsReject,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { regionsFromJson, regionsToJson } from "../regions/index.ts";
import { approvePolicy, listPolicy, type PolicyKind, proposePolicy, rejectPolicy } from "./change-policy.ts";

const REGIONS: PolicyKind<RegionsPolicy> = {
  name: "regions",
  toJson: regionsToJson,
  fromJson: regionsFromJson,
  differences: regionDifferences,
};

/** What is decided in versions beside the trading configuration. */
export function policyDeskRoutes(context: OperatorContext): OperatorRoute[] {
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
    operatorRoute(regionTermsApprove, ({ db, session, input }) => approvePolicy(db, session, REGIONS, input)),
    operatorRoute(regionTermsReject, ({ db, session, input }) => rejectPolicy(db, session, REGIONS, input)),
  ];
}

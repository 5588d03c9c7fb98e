import { referralApprove, referralList, referralPropose, referralReject } from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { decideRate, listRates, proposeRate } from "./set-rate.ts";

/** Routes by which admins set the share of fees for invitations: one proposes, another decides. */
export function referralRateRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(referralList, ({ db, input, now }) => listRates(db, input, now)),
    operatorRoute(referralPropose, async ({ db, session, input, about, now }) => {
      const made = await proposeRate(context, db, session, input, now);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(referralApprove, ({ db, session, input, now }) =>
      decideRate(db, session, { ...input, decision: "approved" }, now),
    ),
    operatorRoute(referralReject, ({ db, session, input, now }) =>
      decideRate(db, session, { ...input, decision: "rejected" }, now),
    ),
  ];
}

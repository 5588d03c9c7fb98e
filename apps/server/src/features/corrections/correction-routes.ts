import { accept } from "@fairtick/domain";
import {
  capitalApprove,
  capitalList,
  capitalPropose,
  capitalReject,
  correctionApprove,
  correctionList,
  correctionPropose,
  correctionReject,
  reportExposure as reportExposureCall,
  reportResult as reportResultCall,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import {
  approveCapital,
  approveCorrection,
  listCapital,
  listCorrections,
  proposeCapital,
  proposeCorrection,
  rejectCapital,
  rejectCorrection,
} from "./correct-money.ts";
import { reportExposure, reportResult } from "./report-house.ts";

/** Routes for corrections of members' money, the house's capital, its exposure and its result. */
export function correctionRoutes(context: OperatorContext, configs: TradingConfigs): OperatorRoute[] {
  return [
    operatorRoute(correctionList, ({ db, input }) => listCorrections(db, input)),
    operatorRoute(correctionPropose, async ({ db, session, input, about }) => {
      const made = await proposeCorrection(context, db, session, input);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(correctionApprove, async ({ db, session, input, afterCommit }) => {
      const booked = await approveCorrection(context, db, session, input);
      if (!booked.ok) return booked;
      afterCommit(() => context.bus.publish("accounts", { members: [booked.value.memberId] }));
      return accept(booked.value.correction);
    }),
    operatorRoute(correctionReject, ({ db, session, input }) => rejectCorrection(db, session, input)),
    operatorRoute(capitalList, ({ db, input }) => listCapital(db, input)),
    operatorRoute(capitalPropose, async ({ db, session, input, about }) => {
      const made = await proposeCapital(context, db, session, input);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(capitalApprove, ({ db, session, input }) => approveCapital(context, db, session, input)),
    operatorRoute(capitalReject, ({ db, session, input }) => rejectCapital(db, session, input)),
    operatorRoute(reportExposureCall, ({ db, now }) => reportExposure(db, configs.current(now))),
    operatorRoute(reportResultCall, ({ db, input, now }) => reportResult(db, now, input.days)),
  ];
}

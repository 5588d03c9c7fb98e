import { accept } from "@fairtick/domain";
import {
  configApprove,
  configList,
  configPropose,
  configProposeAgain,
  configReject,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import {
  approveConfig,
  listConfigs,
  proposeConfig,
  proposeConfigAgain,
  rejectConfig,
} from "./change-trading-config.ts";

/** Routes for the versions of the trading configuration: instruments, payout rates, durations, limits and fees. */
export function configRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(configList, ({ db, now }) => listConfigs(context, db, now)),
    operatorRoute(configPropose, async ({ db, session, input, about }) => {
      const made = await proposeConfig(context, db, session, input);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(configProposeAgain, ({ db, session, input }) => proposeConfigAgain(context, db, session, input)),
    operatorRoute(configApprove, async ({ db, session, input, afterCommit }) => {
      const approved = await approveConfig(context, db, session, input);
      if (!approved.ok) return approved;
      const { proposal, version } = approved.value;
      afterCommit(() => context.bus.publish("configChanged", { version }));
      return accept(proposal);
    }),
    operatorRoute(configReject, ({ db, session, input }) => rejectConfig(db, session, input)),
  ];
}

import {
  incidentApprove,
  incidentClose,
  incidentList,
  incidentPropose,
  incidentReject,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { HealthReport } from "../../platform/health.ts";
import type { OperatorContext } from "../operators/index.ts";
import { closeIncident, decideLift, proposeLift } from "./close-incident.ts";
import { listIncidents } from "./list-incidents.ts";

/** Routes for incidents, which wait for a person to look at them and close them. */
export function incidentDeskRoutes(context: OperatorContext, health: () => HealthReport): OperatorRoute[] {
  return [
    operatorRoute(incidentList, ({ db, input }) => listIncidents(db, context.config.chains, health(), input.state)),
    operatorRoute(incidentClose, ({ db, session, input }) => closeIncident(context, db, session, input)),
    operatorRoute(incidentPropose, ({ db, session, input }) => proposeLift(context, db, session, input)),
    operatorRoute(incidentApprove, ({ db, session, input }) =>
      decideLift(context, db, session, { ...input, decision: "approved" }),
    ),
    operatorRoute(incidentReject, ({ db, session, input }) =>
      decideLift(context, db, session, { ...input, decision: "rejected" }),
    ),
  ];
}

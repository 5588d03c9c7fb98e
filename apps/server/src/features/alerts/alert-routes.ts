import { accept } from "@fairtick/domain";
import { alertCreate, alertDelete, alertList } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import type { SessionContext } from "../sessions/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { listAlerts } from "./alert-rows.ts";
import { createAlert, deleteAlert } from "./change-alerts.ts";

/** Routes for a member's price alerts. */
export function alertRoutes(context: SessionContext, configs: TradingConfigs): Route[] {
  const alerts = { databases: context.databases, ids: context.ids, configs };
  return [
    route(alertList, async ({ session }) => accept(await listAlerts(alerts, session.memberId))),
    route(alertCreate, ({ input, session, now }) => createAlert(alerts, session.memberId, input, now)),
    route(alertDelete, ({ input, session }) => deleteAlert(alerts, session.memberId, input.alertId)),
  ];
}

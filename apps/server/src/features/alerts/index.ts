export { alertRoutes } from "./alert-routes.ts";
export { readAlerts } from "./alert-rows.ts";
export { startAlertWatch } from "./fire-alerts.ts";

export { liabilityRoutes } from "./liability-routes.ts";
export { publishLiabilities, startLiabilities } from "./publish-day.ts";
export { readLiabilityPath } from "./read-path.ts";
export { liabilityReportRoutes } from "./report-liabilities.ts";

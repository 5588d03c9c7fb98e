export { incidentDeskRoutes } from "./incident-desk-routes.ts";
export { readOpenIncidents } from "./list-incidents.ts";

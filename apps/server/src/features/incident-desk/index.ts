export { incidentDeskRoutes } from "./incident-desk-routes.ts";

export { withdrawalDeskRoutes } from "./withdrawal-desk-routes.ts";

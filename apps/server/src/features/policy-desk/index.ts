export { policyDeskRoutes } from "./policy-desk-routes.ts";

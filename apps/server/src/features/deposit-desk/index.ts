export { depositDeskRoutes } from "./deposit-desk-routes.ts";

export { freezeRoutes } from "./freeze-routes.ts";

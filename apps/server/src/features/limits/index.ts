export { limitRoutes } from "./limit-routes.ts";

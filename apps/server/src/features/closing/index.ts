export { closingRoutes } from "./closing-routes.ts";
export { startClosings } from "./finish-closings.ts";

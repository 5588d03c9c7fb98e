export { settingRoutes } from "./setting-routes.ts";

export { readSettings } from "./settings.ts";
export { settingRoutes } from "./setting-routes.ts";

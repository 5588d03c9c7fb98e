export { factorSettingsRoutes } from "./factor-settings-routes.ts";

export { contentRoutes } from "./content-routes.ts";
export { agreementVersion } from "./texts.ts";

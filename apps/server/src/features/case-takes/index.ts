export { type CaseQueue, caseTakeRoutes } from "./case-take-routes.ts";
export { releaseTake } from "./take-case.ts";

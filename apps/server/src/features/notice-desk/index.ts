export { noticeDeskRoutes } from "./notice-desk-routes.ts";

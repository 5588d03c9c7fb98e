export { appRoutes, UPLOAD_BYTES_MAX } from "./app-routes.ts";

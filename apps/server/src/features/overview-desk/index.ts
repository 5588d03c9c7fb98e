export { overviewRoutes } from "./overview-routes.ts";
export type { QueueReader } from "./read-queues.ts";

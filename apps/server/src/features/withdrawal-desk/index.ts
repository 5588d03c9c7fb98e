export { withdrawalDeskRoutes } from "./withdrawal-desk-routes.ts";
export { readOldestWaiting, readWaitingWithdrawals } from "./read-desk.ts";

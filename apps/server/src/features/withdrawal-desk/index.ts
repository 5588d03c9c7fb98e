export { withdrawalDeskRoutes } from "./withdrawal-desk-routes.ts";
export { isWaitingWithdrawal, readOldestWaiting, readWaitingWithdrawals } from "./read-desk.ts";

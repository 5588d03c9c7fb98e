export { isWaitingDeposit, readWaitingDeposits } from "./read-cases.ts";
export { depositDeskRoutes } from "./deposit-desk-routes.ts";
export { startResuming } from "./resume-statements.ts";

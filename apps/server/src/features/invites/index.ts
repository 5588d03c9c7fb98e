export { inviteRoutes } from "./invite-routes.ts";
export { startReferrals } from "./pay-referrals.ts";

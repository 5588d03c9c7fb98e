export { eachInvited } from "./read-invites.ts";
export { inviteRoutes } from "./invite-routes.ts";
export { referralRateRoutes } from "./rate-routes.ts";
export { startReferrals } from "./pay-referrals.ts";
export { seedReferralRate } from "./seed-rate.ts";

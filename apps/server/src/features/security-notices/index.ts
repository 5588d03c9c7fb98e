export { freezeRoute, hashFreezeToken, issueFreezeToken, sweepFreezeTokens } from "./freeze-token.ts";
export { sendWarning, type Warning, warnMember } from "./warn-member.ts";

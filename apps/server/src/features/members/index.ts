export { maskAccount, memberInfo, readVip } from "./member-info.ts";
export { type Member, readMember, standingAt } from "./member-rows.ts";
export { memberRoutes } from "./member-routes.ts";
export { nameRegionRule } from "./name-region-rule.ts";

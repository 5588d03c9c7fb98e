export { assignVipByRule } from "./assign-by-rule.ts";
export { tellVip } from "./tell-vip.ts";

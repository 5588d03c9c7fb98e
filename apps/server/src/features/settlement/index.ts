export { type Settlement, type SettlementOptions, startSettlement } from "./settle-due.ts";

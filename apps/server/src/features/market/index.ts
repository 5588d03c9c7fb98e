export type { Market } from "./run-market.ts";
export { startMarket } from "./start-market.ts";

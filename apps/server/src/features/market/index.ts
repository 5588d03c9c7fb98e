export { listFavouritesOf } from "./favourites.ts";
export { findBrokenEpochs, findDryInstruments } from "./find-market-troubles.ts";
export { holdMarketKeys } from "./market-keys.ts";
export { type CurrentConfig, marketRoutes } from "./market-routes.ts";
export type { Market } from "./run-market.ts";
export { startMarket } from "./start-market.ts";
export { startCandleJob, storeCandles } from "./store-candles.ts";
export { watchInstruments } from "./watch-instruments.ts";
export { type AcceptanceStop, startMarketWatch } from "./watch-market.ts";

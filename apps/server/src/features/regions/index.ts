export { FIRST_REGIONS } from "./first-regions.ts";
export { legalAgeOf, readRegion, readRegions, refuseRegion, regionPolicy } from "./read-regions.ts";
export { openRegionBook, type RegionBook, type RegionRules, type RegionsInForce } from "./region-book.ts";
export { regionsFromJson, regionsToJson } from "./region-json.ts";
export { regionRoutes } from "./region-routes.ts";
export { seedRegions } from "./seed-regions.ts";

export { type Region, type RegionRule, legalAgeOf, refuseRegion, regionPolicy, REGIONS } from "./regions.ts";
export { regionRoutes } from "./region-routes.ts";

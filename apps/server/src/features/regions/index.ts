export { type Region, type RegionRule, legalAgeOf, regionPolicy, REGIONS } from "./regions.ts";
export { regionRoutes } from "./region-routes.ts";

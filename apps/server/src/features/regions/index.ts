export { type Region, type RegionRule, regionPolicy, REGIONS } from "./regions.ts";
export { regionRoutes } from "./region-routes.ts";

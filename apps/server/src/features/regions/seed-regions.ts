import type { Instant } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { seedPolicy } from "../policies/index.ts";
import { FIRST_REGIONS } from "./first-regions.ts";
import { regionsToJson } from "./region-json.ts";

/** Stores the data file as the first version if there is none. */
export function seedRegions(context: Pick<Context, "databases">): Promise<void> {
  return seedPolicy(context, "regions", (effectiveAt: Instant) =>
    regionsToJson({ version: 1, effectiveAt, regions: [...FIRST_REGIONS.values()] }),
  );
}

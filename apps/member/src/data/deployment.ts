import type { appConfig, Output, regionList } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys } from "./queries.ts";
import { ask } from "./transport.ts";

export type Deployment = Output<typeof appConfig>;
export type Region = Output<typeof regionList>[number];

/** The deployment's settings: sandbox or live, upload limits, minimum age. Undefined until loaded. */
export function useDeployment(): Deployment | undefined {
  return useQuery({
    queryKey: keys.deployment,
    queryFn: () => ask<typeof appConfig>("app/config", {}),
    staleTime: Infinity,
  }).data;
}

/** All regions with their policy and legal age. */
export function useRegions(): UseQueryResult<Region[]> {
  return useQuery({
    queryKey: keys.regions,
    queryFn: () => ask<typeof regionList>("region/list", {}),
    staleTime: Infinity,
  });
}

/** Fetches the app's current version code from the server, bypassing the cache. */
export async function newestVersionCode(): Promise<number> {
  return (await ask<typeof appConfig>("app/config", {})).versionCode;
}

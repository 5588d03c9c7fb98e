import type { appConfig, Output, regionList } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys } from "./queries.ts";
import { ask } from "./transport.ts";

export type Deployment = Output<typeof appConfig>;
export type Region = Output<typeof regionList>[number];

/** What this deployment is: sandbox or live, limits of uploads, least age. Undefined until it is known. */
export function useDeployment(): Deployment | undefined {
  return useQuery({
    queryKey: keys.deployment,
    queryFn: () => ask<typeof appConfig>("app/config", {}),
    staleTime: Infinity,
  }).data;
}

/** Regions with their policy and legal age. */
export function useRegions(): UseQueryResult<Region[]> {
  return useQuery({
    queryKey: keys.regions,
    queryFn: () => ask<typeof regionList>("region/list", {}),
    staleTime: Infinity,
  });
}

/** The app's version code as the server knows it now, asked anew. */
export async function newestVersionCode(): Promise<number> {
  return (await ask<typeof appConfig>("app/config", {})).versionCode;
}

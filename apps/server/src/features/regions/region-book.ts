import type { InstrumentKind, Instant, RegionPolicy, RegionTerms } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { FIRST_REGIONS } from "./first-regions.ts";
import { regionsFromJson } from "./region-json.ts";

/** A region's rules that orders of its members are judged by. */
export interface RegionRules {
  readonly policy: RegionPolicy;
  readonly products: readonly InstrumentKind[];
}

export interface RegionsInForce {
  /** Returns the rules of a region. An unknown code is blocked. */
  rulesOf(iso2: string): RegionRules;
  /** When the next known version takes effect; null if none is known. */
  readonly nextAt: Instant | null;
}

/** Keeps the regions in memory, for the one place that judges thousands of orders a second. */
export interface RegionBook {
  /** Returns the version in force at `at`. Reads the tables again if `newestVersion` isn't known yet. */
  bindingAt(at: Instant, newestVersion: number): Promise<RegionsInForce>;
}

interface Version {
  readonly version: number;
  readonly effectiveAt: Instant;
  readonly regions: ReadonlyMap<string, RegionTerms>;
}

const NOBODY: RegionRules = { policy: "blocked", products: [] };
const FIRST: Version = { version: 0, effectiveAt: 0n as Instant, regions: FIRST_REGIONS };

/**
 * Opens the book. Acceptance gets the newest version's number together with the database's time, so an unknown version
 * is read before it applies.
 */
export function openRegionBook({ databases }: Pick<Context, "databases">): RegionBook {
  let versions: readonly Version[] = [FIRST];

  async function load(): Promise<void> {
    const rows = await databases.reader.query<{ body: string }>(
      "SELECT body FROM policies WHERE name = 'regions' AND version >= coalesce(policy_version_now('regions'), 1) ORDER BY version",
    );
    const read = rows.map(({ body }): Version => {
      const { version, effectiveAt, regions } = regionsFromJson(body);
      return { version, effectiveAt, regions: new Map(regions.map((region) => [region.iso2, region])) };
    });
    if (read.length > 0) versions = read;
  }

  return {
    async bindingAt(at, newestVersion) {
      if ((versions.at(-1)?.version ?? 0) < newestVersion) await load();
      const { regions } = versions.findLast(({ effectiveAt }) => effectiveAt <= at) ?? versions[0] ?? FIRST;
      return {
        rulesOf: (iso2) => regions.get(iso2) ?? NOBODY,
        nextAt: versions.find(({ effectiveAt }) => effectiveAt > at)?.effectiveAt ?? null,
      };
    },
  };
}

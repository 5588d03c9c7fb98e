import type { InstrumentKind, Instant, RegionPolicy, RegionTerms } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { FIRST_REGIONS } from "./first-regions.ts";
import { regionsFromJson } from "./region-json.ts";

/** What an order is judged by of its member's region. */
export interface RegionRules {
  readonly policy: RegionPolicy;
  readonly products: readonly InstrumentKind[];
}

export interface RegionsInForce {
  /** Of a code that is no region: blocked. */
  rulesOf(iso2: string): RegionRules;
  /** When the next known version begins to bind. */
  readonly nextAt: Instant | null;
}

/** The regions in memory, for the one place that judges thousands of orders a second. */
export interface RegionBook {
  /** What binds at `at`. Reads again when `newestVersion` is not known yet. */
  bindingAt(at: Instant, newestVersion: number): Promise<RegionsInForce>;
}

interface Version {
  readonly version: number;
  readonly effectiveAt: Instant;
  readonly regions: ReadonlyMap<string, RegionTerms>;
}

const NOBODY: RegionRules = { policy: "blocked", products: [] };
const FIRST: Version = { version: 0, effectiveAt: 0n as Instant, regions: FIRST_REGIONS };

/** Of an order, the newest version's number comes with the database's time: a version that is not known is read. */
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

import { readFileSync } from "node:fs";
import type { Refusal, RegionPolicy } from "@fairtick/domain";
import * as v from "valibot";

const regionsFile = v.object({
  rules: v.record(
    v.string(),
    v.object({ policy: v.picklist(["practice", "blocked"]), name: v.string(), year: v.pipe(v.number(), v.integer()) }),
  ),
  regions: v.array(
    v.object({
      iso2: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
      dialCode: v.pipe(v.string(), v.regex(/^\+[1-9][0-9]{0,2}$/)),
      currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
      legalAge: v.pipe(v.number(), v.integer(), v.minValue(18)),
      rule: v.optional(v.string()),
    }),
  ),
});

/** The rule behind a policy that is not `full`. */
export interface RegionRule {
  readonly policy: Exclude<RegionPolicy, "full">;
  /** As its regulator calls it; not translated. */
  readonly name: string;
  readonly year: number;
}

export interface Region {
  readonly iso2: string;
  /** `+49` */
  readonly dialCode: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly policy: RegionPolicy;
  readonly rule: RegionRule | null;
  /** Years; never below 18. */
  readonly legalAge: number;
}

function readRegions(): ReadonlyMap<string, Region> {
  const text = readFileSync(new URL("regions.json", import.meta.url), "utf8");
  const { rules, regions } = v.parse(regionsFile, JSON.parse(text));
  return new Map(
    regions.map(({ rule: ruleId, ...region }) => {
      const rule = ruleId === undefined ? null : (rules[ruleId] ?? null);
      if (ruleId !== undefined && rule === null)
        throw new Error(`regions.json: ${region.iso2} names no rule ${ruleId}`);
      return [region.iso2, { ...region, rule, policy: rule?.policy ?? "full" }];
    }),
  );
}

/** Every region of ISO 3166-1, by its code. */
export const REGIONS: ReadonlyMap<string, Region> = readRegions();

/** Years that a member of a region must have; 18 for a code that is no region. */
export function legalAgeOf(iso2: string): number {
  return REGIONS.get(iso2)?.legalAge ?? 18;
}

/** What members of a region may do; `blocked` for a code that is no region. */
export function regionPolicy(iso2: string): RegionPolicy {
  return REGIONS.get(iso2)?.policy ?? "blocked";
}

/** What a region's rule leaves no room for, with its name and year; null where everything is open. */
export function refuseRegion(iso2: string): Refusal | null {
  const policy = regionPolicy(iso2);
  if (policy === "full") return null;
  const rule = REGIONS.get(iso2)?.rule;
  const params = rule && { params: { rule: rule.name, year: String(rule.year) } };
  return { error: policy === "blocked" ? "REGION_BLOCKED" : "REGION_PRACTICE_ONLY", ...params };
}

import { readFileSync } from "node:fs";
import type { RegionTerms } from "@fairtick/domain";
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

function readRegions(): ReadonlyMap<string, RegionTerms> {
  const text = readFileSync(new URL("regions.json", import.meta.url), "utf8");
  const { rules, regions } = v.parse(regionsFile, JSON.parse(text));
  return new Map(
    regions.map(({ rule: ruleId, ...region }) => {
      const rule = ruleId === undefined ? null : (rules[ruleId] ?? null);
      if (ruleId !== undefined && rule === null)
        throw new Error(`regions.json: ${region.iso2} names no rule ${ruleId}`);
      const law = rule === null ? null : { name: rule.name, year: rule.year };
      const open = { deposits: true, products: ["fx", "crypto"] as const };
      return [region.iso2, { ...region, ...open, policy: rule?.policy ?? "full", rule: law }];
    }),
  );
}

/** Every region of ISO 3166-1 by its code, as in the first version. The current terms are in the database. */
export const FIRST_REGIONS: ReadonlyMap<string, RegionTerms> = readRegions();

import { canonicalJson, type Instant, type RegionsPolicy } from "@fairtick/domain";
import * as v from "valibot";

/** Converts a version to the stored form: canonical JSON, whose bytes are hashed into the public log. */
export function regionsToJson({ version, effectiveAt, regions }: RegionsPolicy): string {
  return canonicalJson({
    version,
    effectiveAt,
    regions: regions.map(({ rule, products, ...terms }) => ({
      ...terms,
      products: [...products],
      rule: rule === null ? null : { ...rule },
    })),
  });
}

const whole = v.pipe(v.number(), v.safeInteger());
const policy = v.object({
  version: whole,
  effectiveAt: whole,
  regions: v.array(
    v.object({
      iso2: v.string(),
      dialCode: v.string(),
      currency: v.string(),
      policy: v.picklist(["full", "practice", "blocked"]),
      deposits: v.boolean(),
      products: v.array(v.picklist(["fx", "crypto"])),
      legalAge: whole,
      rule: v.nullable(v.object({ name: v.string(), year: whole })),
    }),
  ),
});

/** Parses a stored version of the regions. Throws if it isn't one. */
export function regionsFromJson(text: string): RegionsPolicy {
  const read = v.parse(policy, JSON.parse(text));
  return { ...read, effectiveAt: BigInt(read.effectiveAt) as Instant };
}

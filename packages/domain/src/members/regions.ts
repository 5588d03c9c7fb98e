import type { ConfigDifference } from "../config/change-config.ts";
import type { InstrumentKind } from "../market/instrument.ts";
import type { RegionPolicy } from "./member.ts";
import { accept, refuse, type Verdict } from "../base/refusal.ts";
import type { Instant } from "../base/time.ts";

/** The law behind a policy that is not `full`. */
export interface RegionRule {
  /** The law's name as its regulator writes it; not translated. */
  readonly name: string;
  readonly year: number;
}

/**
 * What members of a region may do. Withdrawals have no field, because members can always withdraw the money they have.
 */
export interface RegionTerms {
  readonly iso2: string;
  /** Such as `+49`. */
  readonly dialCode: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly policy: RegionPolicy;
  /** Whether new deposits are accepted, if the region has a real wallet. */
  readonly deposits: boolean;
  /** Kinds of instruments on which members may place orders. */
  readonly products: readonly InstrumentKind[];
  /** In years; never below 18. */
  readonly legalAge: number;
  readonly rule: RegionRule | null;
}

/** One version of all regions. */
export interface RegionsPolicy {
  readonly version: number;
  readonly effectiveAt: Instant;
  readonly regions: readonly RegionTerms[];
}

/** Changes of one region; fields left out stay unchanged. */
export interface RegionChange {
  readonly iso2: string;
  readonly policy?: RegionPolicy | undefined;
  readonly deposits?: boolean | undefined;
  readonly products?: readonly InstrumentKind[] | undefined;
  readonly legalAge?: number | undefined;
  readonly rule?: RegionRule | null | undefined;
}

const AGE_MIN = 18;
const AGE_MAX = 99;

/**
 * Makes the next version of the regions. Refuses NOT_FOUND for an unknown region code, or FIELD_INVALID with the name
 * of the field that is out of bounds (an age below 18, no products, a restricted region without its rule), or `regions`
 * if nothing would change.
 */
export function changeRegions(
  before: RegionsPolicy,
  changes: readonly RegionChange[],
  next: { readonly version: number; readonly effectiveAt: Instant },
): Verdict<RegionsPolicy> {
  const byCode = new Map(changes.map((change) => [change.iso2, change] as const));
  if ([...byCode.keys()].some((iso2) => !before.regions.some((region) => region.iso2 === iso2)))
    return refuse("NOT_FOUND");
  const after = { ...next, regions: before.regions.map((region) => changeRegion(region, byCode.get(region.iso2))) };
  for (const { iso2, ...terms } of after.regions) {
    const wrong = byCode.has(iso2) ? wrongField(terms) : null;
    if (wrong !== null) return invalid(wrong);
  }
  return regionDifferences(before, after).length === 0 ? invalid("regions") : accept(after);
}

function invalid(field: string): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}

function changeRegion(region: RegionTerms, change: RegionChange | undefined): RegionTerms {
  if (change === undefined) return region;
  const policy = change.policy ?? region.policy;
  const products = change.products ?? region.products;
  // Null removes the rule; undefined leaves it unchanged.
  const rule = change.rule === undefined ? region.rule : change.rule;
  return {
    ...region,
    policy,
    deposits: change.deposits ?? region.deposits,
    products: (["fx", "crypto"] as const).filter((kind) => products.includes(kind)),
    legalAge: change.legalAge ?? region.legalAge,
    rule: policy === "full" ? null : rule,
  };
}

/** Returns the name of the first field of any region that is out of bounds; null if none is. */
export function wrongRegionsField({ regions }: RegionsPolicy): string | null {
  return regions.map(wrongField).find((wrong) => wrong !== null) ?? null;
}

function wrongField({ products, legalAge, policy, rule }: Omit<RegionTerms, "iso2">): string | null {
  if (products.length === 0) return "products";
  if (!Number.isInteger(legalAge) || legalAge < AGE_MIN || legalAge > AGE_MAX) return "legalAge";
  return policy !== "full" && (rule === null || rule.name.trim() === "") ? "rule" : null;
}

/** Lists the differences between two versions, named as in the calls: `DE policy`, `practice`, `full`. */
export function regionDifferences(before: RegionsPolicy, after: RegionsPolicy): ConfigDifference[] {
  const old = new Map(before.regions.map((region) => [region.iso2, figures(region)] as const));
  return after.regions.flatMap((region) => {
    const was = old.get(region.iso2);
    return Object.entries(figures(region)).flatMap(([name, value]) => {
      const then = was?.[name] ?? "–";
      return then === value ? [] : [{ what: `${region.iso2} ${name}`, before: then, after: value }];
    });
  });
}

function figures({ policy, deposits, products, legalAge, rule }: RegionTerms): Record<string, string> {
  return {
    policy,
    deposits: deposits ? "yes" : "no",
    products: products.join(", "),
    legalAge: String(legalAge),
    rule: rule === null ? "–" : `${rule.name}, ${rule.year}`,
  };
}

import type { InstrumentKind, Refusal, RegionPolicy, RegionTerms } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { FIRST_REGIONS } from "./first-regions.ts";

interface TermsRow {
  readonly iso2: string;
  readonly dial_code: string;
  readonly currency: string;
  readonly policy: RegionPolicy;
  readonly deposits: boolean;
  readonly products: readonly InstrumentKind[];
  readonly legal_age: number;
  readonly rule_name: string | null;
  readonly rule_year: number | null;
}

/** Reads a region's terms at this moment of the database's clock; null for an unknown code. */
export async function readRegion(db: Queryable, iso2: string): Promise<RegionTerms | null> {
  const [row] = await db.query<TermsRow>("SELECT * FROM region_terms_now WHERE iso2 = $1", [iso2]);
  return row === undefined ? (FIRST_REGIONS.get(iso2) ?? null) : present(row);
}

/** Reads every region's current terms, by code. */
export async function readRegions(db: Queryable): Promise<readonly RegionTerms[]> {
  const rows = await db.query<TermsRow>("SELECT * FROM region_terms_now ORDER BY iso2");
  return rows.length === 0 ? [...FIRST_REGIONS.values()] : rows.map(present);
}

/** Returns the minimum age of a region's members in years; 18 for an unknown code. */
export async function legalAgeOf(db: Queryable, iso2: string): Promise<number> {
  return (await readRegion(db, iso2))?.legalAge ?? 18;
}

/** Returns what members of a region may do; `blocked` for an unknown code. */
export async function regionPolicy(db: Queryable, iso2: string): Promise<RegionPolicy> {
  return (await readRegion(db, iso2))?.policy ?? "blocked";
}

/** Returns the refusal that a region's rule causes, with the rule's name and year; null if everything is allowed. */
export async function refuseRegion(db: Queryable, iso2: string): Promise<Refusal | null> {
  const region = await readRegion(db, iso2);
  if (region?.policy === "full") return null;
  const rule = region?.rule;
  const params = rule && { params: { rule: rule.name, year: String(rule.year) } };
  return { error: region?.policy === "practice" ? "REGION_PRACTICE_ONLY" : "REGION_BLOCKED", ...params };
}

function present(row: TermsRow): RegionTerms {
  return {
    iso2: row.iso2,
    dialCode: row.dial_code,
    currency: row.currency,
    policy: row.policy,
    deposits: row.deposits,
    products: row.products,
    legalAge: row.legal_age,
    rule: row.rule_name === null || row.rule_year === null ? null : { name: row.rule_name, year: row.rule_year },
  };
}

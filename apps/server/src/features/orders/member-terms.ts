import type { DeviceId, Instant, MemberId, MemberLimits, MicroUsd, PlacingMember, Standing } from "@fairtick/domain";
import type { Row } from "../../platform/lane.ts";
import { standingAt } from "../members/index.ts";
import type { RegionsInForce } from "../regions/index.ts";

/** Everything besides money that a member's orders are judged by. */
export interface MemberTerms extends Omit<PlacingMember, "limits" | "wallets" | "regionPolicy" | "products"> {
  /** What a region allows can change on a date, so it is looked up for every batch. */
  readonly region: string;
  /** The member's own limits with the time each takes effect, newest first. A later one of the same name is pending. */
  readonly limits: readonly OwnLimit[];
  /** Devices whose keys currently sign the member's sealed orders. */
  readonly devices: ReadonlySet<DeviceId>;
}

interface OwnLimit {
  readonly name: "dailyStake" | "dailyLoss" | "coolOffUntil";
  readonly effectiveAt: Instant;
  readonly value: bigint | null;
}

/** Caches terms by member, each with the `terms_version` of the locked row that it was read with. */
export interface TermsCache {
  /** Finds a member's terms of a version. Undefined if that version isn't cached. */
  find(memberId: MemberId, version: bigint): MemberTerms | undefined;
  /** Whether any version of the member's terms is cached, even an outdated one. */
  knows(memberId: MemberId): boolean;
  keep(memberId: MemberId, version: bigint, terms: MemberTerms): void;
}

export function createTermsCache(membersMax: number): TermsCache {
  const known = new Map<MemberId, { readonly version: bigint; readonly terms: MemberTerms }>();
  return {
    find(memberId, version) {
      const entry = known.get(memberId);
      return entry?.version === version ? entry.terms : undefined;
    },
    knows: (memberId) => known.has(memberId),
    keep(memberId, version, terms) {
      known.delete(memberId);
      known.set(memberId, { version, terms });
      if (known.size <= membersMax) return;
      // Drop the oldest entry. A member who still trades is simply read again.
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}

/** Reads the terms of members from rows of READ_TERMS and READ_LIMITS. */
export function termsOfRows(memberRows: readonly Row[], limitRows: readonly Row[]): Map<MemberId, MemberTerms> {
  const limits = new Map<MemberId, OwnLimit[]>();
  for (const [member, name, effectiveAt, value] of limitRows) {
    const memberId = member as MemberId;
    const limit = { name, effectiveAt, value } as OwnLimit;
    const others = limits.get(memberId);
    if (others === undefined) limits.set(memberId, [limit]);
    else others.push(limit);
  }
  return new Map(
    memberRows.map(([member, region, standing, standingReason, excludedUntil, tradePasswordSet, devices]) => {
      const memberId = member as MemberId;
      const terms: MemberTerms = {
        region: String(region),
        standing: standing as Standing,
        standingReason: standingReason as string | null,
        excludedUntil: excludedUntil as Instant | null,
        tradePasswordSet: tradePasswordSet === true,
        limits: limits.get(memberId) ?? [],
        devices: new Set(typeof devices === "string" ? devices.split(",").map((id) => BigInt(id) as DeviceId) : []),
      };
      return [memberId, terms] as const;
    }),
  );
}

const NO_LIMITS: MemberLimits = { dailyStakeMax: null, dailyLossMax: null, coolOffUntil: null };

/**
 * Resolves a member's terms at a given time: standing, limits in effect and what their region allows. An exclusion ends when
 * its time is up, without any row changing.
 */
export function termsAt(
  own: MemberTerms,
  regions: RegionsInForce,
  now: Instant,
): Omit<PlacingMember, "wallets"> & Pick<MemberTerms, "devices"> {
  const { policy, products } = regions.rulesOf(own.region);
  return {
    standing: standingAt(own, now),
    standingReason: own.standingReason,
    excludedUntil: own.excludedUntil,
    regionPolicy: policy,
    products,
    tradePasswordSet: own.tradePasswordSet,
    limits: limitsAt(own, now),
    devices: own.devices,
  };
}

/** Returns the newest limit of each name that is in effect. */
function limitsAt({ limits }: MemberTerms, now: Instant): MemberLimits {
  if (limits.length === 0) return NO_LIMITS;
  const newest: Partial<Record<OwnLimit["name"], bigint | null>> = {};
  for (const { name, effectiveAt, value } of limits) {
    if (effectiveAt <= now && newest[name] === undefined) newest[name] = value;
  }
  return {
    dailyStakeMax: (newest.dailyStake ?? null) as MicroUsd | null,
    dailyLossMax: (newest.dailyLoss ?? null) as MicroUsd | null,
    coolOffUntil: (newest.coolOffUntil ?? null) as Instant | null,
  };
}

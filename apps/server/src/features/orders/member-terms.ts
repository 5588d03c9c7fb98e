import type { DeviceId, Instant, MemberId, MemberLimits, MicroUsd, PlacingMember, Standing } from "@fairtick/domain";
import type { Row } from "../../platform/lane.ts";
import { standingAt } from "../members/index.ts";
import type { RegionsInForce } from "../regions/index.ts";

/** What a member's orders are judged by beside their money. */
export interface MemberTerms extends Omit<PlacingMember, "limits" | "wallets" | "regionPolicy" | "products"> {
  /** What it leaves open changes by itself, on a date: that is looked up for each batch. */
  readonly region: string;
  /** Their own limits with the moment from which each counts, newest first; a later one of the same name is pending. */
  readonly limits: readonly OwnLimit[];
  /** Whose keys sign their sealed orders now. */
  readonly devices: ReadonlySet<DeviceId>;
}

interface OwnLimit {
  readonly name: "dailyStake" | "dailyLoss" | "coolOffUntil";
  readonly effectiveAt: Instant;
  readonly value: bigint | null;
}

/** Terms by member, each with the `terms_version` of the locked row under which it was read. */
export interface TermsCache {
  /** Undefined where nothing of that version is known. */
  find(memberId: MemberId, version: bigint): MemberTerms | undefined;
  /** Whether a version of the member's terms is known, which may have been followed by others. */
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
      // The one kept longest goes: a member who still trades is read again.
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}

/** Rows of READ_TERMS and READ_LIMITS → terms by member. */
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
 * What holds of a member's terms at a moment: their standing then, limits whose time has come, and what their region leaves
 * open. An exclusion ends with its time, without a row that changes.
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

/** Of each limit the newest whose time has come. */
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

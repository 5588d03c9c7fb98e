import type { IdentityState, Instant, MemberId, RegionPolicy, Standing, Wallet } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Queryable } from "../../platform/database.ts";
import { FIRST_REGIONS } from "../regions/index.ts";

/** A member as the account calls need them, without passwords and money. */
export interface Member {
  readonly memberId: MemberId;
  readonly phone: string | null;
  readonly email: string | null;
  readonly username: string | null;
  readonly region: string;
  readonly policy: RegionPolicy;
  readonly standing: Standing;
  readonly standingReason: string | null;
  readonly excludedUntil: Instant | null;
  readonly tradePasswordSet: boolean;
  /** Since when the member has frozen withdrawals; null if they haven't. */
  readonly frozenSince: Instant | null;
  readonly identityState: IdentityState;
  readonly language: LanguageCode;
  readonly wallet: Wallet;
}

interface MemberRow {
  member_id: MemberId;
  phone: string | null;
  email: string | null;
  username: string | null;
  region: string;
  /** The rule of the member's region; null while no version of the regions is stored. */
  policy: RegionPolicy | null;
  standing: Standing;
  standing_reason: string | null;
  excluded_until: Instant | null;
  trade_password_set: boolean;
  frozen_since: Instant | null;
  identity_state: IdentityState | null;
  language: LanguageCode;
  wallet: Wallet;
}

const COLUMNS = `member_id, phone, email, username, region, standing, standing_reason, excluded_until, trade_password_set, language, wallet,
  (SELECT r.policy FROM region_terms_now r WHERE r.iso2 = members.region) AS policy, identity_state(member_id), member_frozen_since(member_id) AS frozen_since`;

/**
 * Returns the standing that applies now. A timed exclusion ends on its own, one without an end doesn't. A suspension or
 * closing takes precedence over an exclusion.
 */
export function standingAt(member: { standing: Standing; excludedUntil: Instant | null }, now: Instant): Standing {
  if (member.standing === "suspended" || member.standing === "closed") return member.standing;
  if (member.excludedUntil !== null) return member.excludedUntil > now ? "excluded" : "active";
  return member.standing;
}

export async function readMember(db: Queryable, memberId: MemberId, now: Instant): Promise<Member | null> {
  const rows = await db.query<MemberRow>(`SELECT ${COLUMNS} FROM members WHERE member_id = $1`, [memberId]);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    memberId: row.member_id,
    phone: row.phone,
    email: row.email,
    username: row.username,
    region: row.region,
    policy: row.policy ?? FIRST_REGIONS.get(row.region)?.policy ?? "blocked",
    standing: standingAt({ standing: row.standing, excludedUntil: row.excluded_until }, now),
    standingReason: row.standing_reason,
    excludedUntil: row.excluded_until,
    tradePasswordSet: row.trade_password_set,
    frozenSince: row.frozen_since,
    identityState: row.identity_state ?? "unverified",
    language: row.language,
    wallet: row.wallet,
  };
}

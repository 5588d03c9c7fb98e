import { formatId, type Instant, type MemberId, type Standing } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { readIdentity } from "../identity/index.ts";
import { listFavouritesOf } from "../market/index.ts";
import { standingAt } from "../members/index.ts";
import { listDevices } from "../order-devices/index.ts";
import { readSettings } from "../settings/index.ts";

const MS = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;

interface MemberRow {
  phone: string | null;
  email: string | null;
  username: string | null;
  region: string;
  language: string;
  wallet: string;
  standing: Standing;
  standing_reason: string | null;
  excluded_until: Instant | null;
  trade_password_set: boolean;
  terms_version: string;
  invite_code: string;
  was_invited: boolean;
  created_at: bigint;
}

const isoOf = (at: bigint | null) => (at === null ? null : new Date(Number(at)).toISOString());

interface LimitRow {
  name: string;
  effective_at: bigint;
  value: bigint | null;
}

interface SessionRow {
  device: string;
  place: string;
  created_at: bigint;
  seen_at: bigint;
  expires_at: bigint;
  ended_at: bigint | null;
}

interface AlertRow {
  symbol: string;
  direction: string;
  price: bigint;
  created_at: bigint;
  fired_at: bigint | null;
  fired_price: bigint | null;
}

/**
 * Reads what isn't in one of the other files: account, settings, limits, favourites, alerts, sessions, and devices that sign
 * orders. Passwords and session keys are stored as hashes and are left out.
 */
export async function readAccountFacts(
  context: Pick<Context, "databases">,
  memberId: MemberId,
  now: Instant,
): Promise<object> {
  const db = context.databases.sessions;
  const [member, limits, sessions, alerts, devices, settings, favourites, identity] = await Promise.all([
    readMember(db, memberId),
    readLimits(db, memberId),
    readSessions(db, memberId),
    readAlerts(db, memberId),
    listDevices(db, memberId),
    readSettings(context, memberId),
    listFavouritesOf(context, memberId),
    readIdentity(context, memberId),
  ]);
  return {
    writtenAt: isoOf(now),
    account: accountOf(memberId, member, now),
    identity: {
      state: identity.state,
      person: identity.person ? { ...identity.person, submittedAt: isoOf(BigInt(identity.person.submittedAt)) } : null,
    },
    settings,
    favourites,
    limits: limits.map(limitOf),
    alerts: alerts.map(alertOf),
    sessions: sessions.map(sessionOf),
    orderDevices: devices.map(({ deviceId, label, publicKey, addedAt, removedAt, hash, nonce }) => ({
      deviceId,
      label,
      publicKey,
      addedAt: isoOf(BigInt(addedAt)),
      removedAt: isoOf(removedAt === null ? null : BigInt(removedAt)),
      // Its entry in the public log, and the nonce that opens that entry.
      hash,
      nonce,
    })),
  };
}

async function readMember(db: Queryable, memberId: MemberId): Promise<MemberRow> {
  const [member] = await db.query<MemberRow>(
    `SELECT phone, email, username, region, language, wallet, standing, standing_reason, excluded_until, trade_password_set,
       terms_version, invite_code, invited_by IS NOT NULL AS was_invited, ${MS("created_at")} AS created_at
     FROM members WHERE member_id = $1`,
    [memberId],
  );
  if (member === undefined) throw new Error("a session belongs to no member");
  return member;
}

function readLimits(db: Queryable, memberId: MemberId): Promise<readonly LimitRow[]> {
  return db.query<LimitRow>(
    "SELECT name, effective_at, value FROM member_limits WHERE member_id = $1 ORDER BY name, effective_at",
    [memberId],
  );
}

function readSessions(db: Queryable, memberId: MemberId): Promise<readonly SessionRow[]> {
  return db.query<SessionRow>(
    `SELECT device, place, ${MS("created_at")} AS created_at, ${MS("seen_at")} AS seen_at, ${MS("expires_at")} AS expires_at,
       ${MS("ended_at")} AS ended_at
     FROM sessions WHERE member_id = $1 ORDER BY session_id`,
    [memberId],
  );
}

function readAlerts(db: Queryable, memberId: MemberId): Promise<readonly AlertRow[]> {
  return db.query<AlertRow>(
    "SELECT symbol, direction, price, created_at, fired_at, fired_price FROM price_alerts WHERE member_id = $1 ORDER BY alert_id",
    [memberId],
  );
}

function accountOf(memberId: MemberId, member: MemberRow, now: Instant) {
  return {
    userId: formatId("member", memberId),
    phone: member.phone,
    email: member.email,
    username: member.username,
    region: member.region,
    language: member.language,
    walletInView: member.wallet,
    standing: standingAt({ standing: member.standing, excludedUntil: member.excluded_until }, now),
    standingReason: member.standing_reason,
    excludedUntil: isoOf(member.excluded_until),
    tradePasswordSet: member.trade_password_set,
    acceptedTermsVersion: member.terms_version,
    inviteCode: member.invite_code,
    wasInvited: member.was_invited,
    registeredAt: isoOf(member.created_at),
  };
}

function limitOf({ name, effective_at, value }: LimitRow) {
  return {
    name,
    from: isoOf(effective_at),
    // Amounts in millionths of a dollar, reminders in minutes, the end of a pause in milliseconds since 1970.
    value: value === null ? null : String(value),
  };
}

function alertOf({ symbol, direction, price, created_at, fired_at, fired_price }: AlertRow) {
  return {
    symbol,
    direction,
    // The price is in the instrument's smallest steps.
    points: String(price),
    madeAt: isoOf(created_at),
    firedAt: isoOf(fired_at),
    firedPoints: fired_price === null ? null : String(fired_price),
  };
}

function sessionOf({ device, place, created_at, seen_at, expires_at, ended_at }: SessionRow) {
  return {
    device,
    place,
    startedAt: isoOf(created_at),
    lastUsedAt: isoOf(seen_at),
    expiresAt: isoOf(expires_at),
    endedAt: isoOf(ended_at),
  };
}

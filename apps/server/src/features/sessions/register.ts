import { randomInt } from "node:crypto";
import { accept, type Instant, type MemberId, refuse, type Standing, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { SignedIn } from "@fairtick/protocol";
import { type Queryable, sqlState } from "../../platform/database.ts";
import { agreementVersion } from "../content/index.ts";
import { refuseRegion } from "../regions/index.ts";
import { checkCode, useCode, wrongCode } from "./codes.ts";
import { hashPassword, judgePassword } from "./passwords.ts";
import type { SessionContext } from "./session-context.ts";
import type { Visitor } from "./session-rows.ts";
import { presentSignedIn, startSession } from "./sign-in.ts";

export interface Registration {
  readonly region: string;
  readonly channel: "phone" | "email";
  /** An E.164 number, or a mail address in lower case. */
  readonly address: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly inviteCode?: string | undefined;
  readonly acceptTerms: boolean;
}

/** Practice money of a new member in micro-USD: 10,000.00. */
const STARTING_PRACTICE = 10_000_000_000n;
/** Capitals and digits that aren't easily mistaken for one another. */
const INVITE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const UNIQUE_VIOLATION = "23505";

function createInviteCode(): string {
  return Array.from({ length: 8 }, () => INVITE_ALPHABET[randomInt(INVITE_ALPHABET.length)]).join("");
}

/** Refuses an address that already has an account. A member who is locked out is told their own reason. */
async function refuseKnown(db: Queryable, address: string, now: Instant): Promise<Verdict<never> | null> {
  const rows = await db.query<{ standing: Standing; excluded_until: bigint | null }>(
    "SELECT standing, excluded_until FROM members WHERE phone = $1 OR email = $1",
    [address],
  );
  const known = rows[0];
  if (known === undefined) return null;
  if (known.standing === "closed") return refuse("CLOSED");
  const until = known.excluded_until;
  if (until !== null && until > now) return refuse("EXCLUDED", { until: Number(until) });
  return refuse("ALREADY_REGISTERED");
}

/**
 * Registers an address that a code has confirmed: creates the member with wallets and practice money, and logs them in,
 * in one transaction. Refuses, in this order: REGION_BLOCKED, TERMS_NOT_ACCEPTED, PASSWORDS_DIFFER,
 * PASSWORD_TOO_SHORT[min], PASSWORD_COMMON, FIELD_INVALID (no such invite code), TOO_MANY_TRIES[retryAt], BAD_CODE,
 * CODE_EXPIRED; and, only to someone who has entered the code, CLOSED, EXCLUDED[until], ALREADY_REGISTERED.
 */
export async function register(
  context: Pick<SessionContext, "databases" | "ids" | "config" | "bus">,
  registration: Registration,
  visitor: Visitor & { readonly lang: LanguageCode },
): Promise<Verdict<SignedIn>> {
  const { region, address, password, code } = registration;
  const { now } = visitor;
  const pool = context.databases.sessions;
  const closed = await refuseRegion(pool, region);
  if (closed?.error === "REGION_BLOCKED") return { ok: false, refusal: closed };
  if (!registration.acceptTerms) return refuse("TERMS_NOT_ACCEPTED");
  if (password !== registration.confirmPassword) return refuse("PASSWORDS_DIFFER");
  const judged = await judgePassword(password, address);
  if (!judged.ok) return judged;
  const invitedBy = await findInviter(pool, registration.inviteCode);
  if (invitedBy === undefined) return refuse("FIELD_INVALID", undefined, { inviteCode: "FIELD_INVALID" });

  const entry = {
    purpose: "register",
    address,
    code,
    ip: visitor.ip,
    now,
    deviceKey: visitor.deviceKey ?? null,
  } as const;
  const checked = await checkCode(pool, entry);
  if (!checked.ok) return checked;
  const known = await refuseKnown(pool, address, now);
  if (known !== null) return known;
  const passwordHash = await hashPassword(password);
  const memberId = context.ids.next() as MemberId;
  try {
    const started = await pool.transaction(async (db) => {
      if (!(await useCode(db, entry))) return null;
      await insertMember(db, { ...registration, memberId, passwordHash, invitedBy, lang: visitor.lang, now });
      await db.query("SELECT issue_starting_practice($1, $2, $3, $4)", [
        memberId,
        context.ids.next(),
        now,
        STARTING_PRACTICE,
      ]);
      return startSession(context, db, memberId, visitor);
    });
    if (started === null) return wrongCode();
    return accept(await presentSignedIn(context, memberId, started, visitor));
  } catch (error) {
    // Two registrations of one address get this far only with two codes. The second one finds the row of the first.
    const taken = sqlState(error) === UNIQUE_VIOLATION ? await refuseKnown(pool, address, now) : null;
    if (taken === null) throw error;
    return taken;
  }
}

/** Finds the member that an invite code belongs to; null without a code, undefined for an unknown one. */
async function findInviter(pool: Queryable, inviteCode: string | undefined): Promise<MemberId | null | undefined> {
  if (inviteCode === undefined || inviteCode === "") return null;
  const rows = await pool.query<{ member_id: MemberId }>("SELECT member_id FROM members WHERE invite_code = $1", [
    inviteCode.toUpperCase(),
  ]);
  return rows[0]?.member_id;
}

async function insertMember(
  db: Queryable,
  member: Registration & {
    readonly memberId: MemberId;
    readonly passwordHash: string;
    readonly invitedBy: MemberId | null;
    readonly lang: LanguageCode;
    readonly now: Instant;
  },
): Promise<void> {
  await db.query(
    `INSERT INTO members (member_id, phone, email, region, password_hash, language, terms_version, invite_code, invited_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10::numeric / 1000))`,
    [
      member.memberId,
      member.channel === "phone" ? member.address : null,
      member.channel === "email" ? member.address : null,
      member.region,
      member.passwordHash,
      member.lang,
      agreementVersion(),
      createInviteCode(),
      member.invitedBy,
      member.now,
    ],
  );
  await db.query("INSERT INTO members_money (member_id) VALUES ($1)", [member.memberId]);
}

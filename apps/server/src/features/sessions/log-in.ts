import { accept, describeDevice, type MemberId, refuse, type Standing, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { SignedIn } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import { type FactorUse, judgeSecondFactor, spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import { passwordMatches } from "./passwords.ts";
import type { SessionContext } from "./session-context.ts";
import { hasSessionFrom, type Visitor } from "./session-rows.ts";
import { describePlace } from "./device.ts";
import { guessAtDoor, MEMBERS_DOOR } from "./door.ts";
import { isKnownDevice } from "./known-devices.ts";
import { presentSignedIn, type Started, startSession } from "./sign-in.ts";

/**
 * Logs in. `account` is an E.164 number or a mail address in lower case. Refuses BAD_CREDENTIALS (the same, after the
 * same time, for unknown accounts and wrong passwords), TOO_MANY_TRIES[retryAt], RATE_LIMITED[retryAt], and CLOSED to
 * anyone who knew the password. A device that the member has logged in on before is never refused because of strangers'
 * tries. Any other device needs the second factor after the right password (SECOND_FACTOR_REQUIRED[means,question],
 * SECOND_FACTOR_WRONG), and isn't remembered without it. Suspended and excluded members can log in, and so can those
 * whose account closes once their orders are settled: their orders settle and their money stays within reach. From then
 * on, mails are written in the language of this login.
 */
export async function logIn(
  context: Pick<SessionContext, "databases" | "ids" | "config" | "bus" | "log" | "messenger">,
  {
    account,
    password,
    secondFactor,
  }: { readonly account: string; readonly password: string; readonly secondFactor?: string | undefined },
  visitor: Visitor & { readonly lang: LanguageCode },
): Promise<Verdict<SignedIn>> {
  const pool = context.databases.sessions;
  const { ip, now, deviceKey = null } = visitor;
  const known = (await isKnownDevice(pool, account, deviceKey)) ? deviceKey : null;
  const isNeighbour = known === null && (await hasSessionFrom(pool, account, describePlace(ip), now));
  const guessed = { kind: "login", account, known, isNeighbour, ip, now } as const;
  const verdict = await guessAtDoor(MEMBERS_DOOR, pool, guessed, async () => {
    const member = await findMember(pool, account);
    const matches = await passwordMatches(
      member?.password_hash ?? null,
      password,
      known === null ? "stranger" : "member",
    );
    if (member === undefined || !matches) return refuse("BAD_CREDENTIALS");
    return member.standing === "closed" && !member.closing
      ? refuse("CLOSED")
      : accept({ memberId: member.member_id, passwordHash: member.password_hash });
  });
  if (!verdict.ok) return verdict;
  const { memberId, passwordHash } = verdict.value;
  const factor: Verdict<FactorUse> =
    known === null
      ? await judgeSecondFactor(context, memberId, secondFactor, { purpose: "login", now })
      : accept({ kind: "none" });
  if (!factor.ok) return factor;
  let warning: Warning | null = null;
  const started = await pool.transaction(async (db): Promise<Verdict<Started>> => {
    // Logins of one member run one after the other, so that each counts the sessions before it. If the password was
    // changed in between, all sessions have ended, and the old password must not start another.
    const unchanged = await db.query(
      "SELECT 1 FROM members WHERE member_id = $1 AND password_hash = $2 FOR NO KEY UPDATE",
      [memberId, passwordHash],
    );
    if (unchanged.length === 0) return refuse("BAD_CREDENTIALS");
    if (!(await spendSecondFactor(db, memberId, factor.value, now))) return wrongFactor();
    await db.query("UPDATE members SET language = $2 WHERE member_id = $1 AND language <> $2", [
      memberId,
      visitor.lang,
    ]);
    const isNew = known === null && (await isNewDevice(db, memberId, visitor));
    const params = { device: describeDevice(visitor.userAgent) || "?", place: describePlace(ip) };
    if (isNew) warning = await warnMember(db, context, memberId, { key: "newDevice", params });
    return accept(await startSession(context, db, memberId, visitor));
  });
  if (!started.ok) return started;
  if (warning !== null) sendWarning(context, warning);
  if (known === null) visitor.noteNewDevice?.();
  return accept(await presentSignedIn(context, memberId, started.value, visitor));
}

interface MemberRow {
  member_id: MemberId;
  password_hash: string;
  standing: Standing;
  closing: boolean;
}

async function findMember(db: Queryable, account: string): Promise<MemberRow | undefined> {
  const [member] = await db.query<MemberRow>(
    `SELECT member_id, password_hash, standing, EXISTS (SELECT FROM closings c
       WHERE c.member_id = m.member_id AND c.closed_at IS NULL AND c.reason = 'member') AS closing
     FROM members m WHERE phone = $1 OR email = $1`,
    [account],
  );
  return member;
}

/**
 * Whether to warn about this device, which isn't known by its key. A browser that keeps a key is always warned about,
 * since a thief's browser may have the same name. A client without a key is warned about only if no session of the
 * member ran on such a browser and system. The network doesn't matter: phones change it all day.
 */
async function isNewDevice(db: Queryable, memberId: MemberId, { userAgent, keepDeviceKey }: Visitor): Promise<boolean> {
  if (keepDeviceKey !== undefined) return true;
  const device = describeDevice(userAgent);
  const known = await db.query("SELECT 1 FROM sessions WHERE member_id = $1 AND device = $2 LIMIT 1", [
    memberId,
    device,
  ]);
  return known.length === 0;
}

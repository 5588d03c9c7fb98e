import { accept, type Instant, type MemberId, refuse, type SessionId, type Verdict } from "@fairtick/domain";
import { translate } from "@fairtick/i18n/server";
import { languageOf } from "@fairtick/i18n";
import type { Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { tellMember } from "../notices/index.ts";
import { judgeSecondFactor, spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import { accountSubject, CAREFUL, forgetTries, guess } from "../../platform/attempts.ts";
import { checkCode, type CodeEntry, useCode, wrongCode } from "./codes.ts";
import { announceEnded } from "./end-sessions.ts";
import { forgetDevices } from "./known-devices.ts";
import { hashPassword, judgePassword, passwordMatches } from "./passwords.ts";
import type { SessionContext } from "./session-context.ts";
import { endSessionRows, type OnDevice } from "./session-rows.ts";
import { restWithdrawals } from "./rest-withdrawals.ts";
import { rememberVisitor } from "./sign-in.ts";

export type PasswordContext = Pick<SessionContext, "databases" | "bus" | "messenger" | "config">;
type ResetContext = PasswordContext & Pick<SessionContext, "log">;

interface Account {
  member_id: MemberId;
  phone: string | null;
  email: string | null;
  language: string;
  password_hash: string;
}

export async function readAccount(db: Queryable, memberId: MemberId): Promise<Account> {
  const rows = await db.query<Account>(
    "SELECT member_id, phone, email, language, password_hash FROM members WHERE member_id = $1",
    [memberId],
  );
  const account = rows[0];
  if (account === undefined) throw new Error("a session belongs to no member");
  return account;
}

/** The logged-in member who asks for a change. */
export interface BySession {
  readonly memberId: MemberId;
  readonly sessionId: bigint;
  readonly now: Instant;
}

/**
 * Judges the login password of a logged-in member. Refuses WRONG_PASSWORD and TOO_MANY_TRIES[retryAt]. Tries are
 * counted per session: a stolen session gets ten guesses a day and locks out no one else.
 */
export function checkLoginPassword(
  pool: Queryable,
  account: Account,
  password: string,
  { sessionId, now }: BySession,
): Promise<Verdict<null>> {
  const attempt = { kind: "login", subject: `session:${sessionId}`, waits: CAREFUL, now } as const;
  return guess(pool, attempt, async () =>
    (await passwordMatches(account.password_hash, password)) ? accept(null) : refuse("WRONG_PASSWORD"),
  );
}

/** Returns the names under which strangers' tries at the account are counted: its phone number and its mail address. */
function accountSubjects({ phone, email }: Account): string[] {
  return [phone, email].filter((address) => address !== null).map(accountSubject);
}

function mailMember(context: PasswordContext, account: Account, now: Instant): void {
  // Sent by mail only: a phone number may have a new owner by now.
  if (account.email === null) return;
  const { code, locale } = languageOf(account.language);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" }).format(
    Number(now),
  );
  context.messenger.post({
    channel: "email",
    to: account.email,
    subject: translate(code, "mail.passwordChanged.subject"),
    text: translate(code, "mail.passwordChanged.text", { time }),
    footerIn: code,
  });
}

/**
 * Changes the login password and ends the member's other sessions. Refuses PASSWORDS_DIFFER, PASSWORD_TOO_SHORT[min],
 * PASSWORD_COMMON, WRONG_PASSWORD, TOO_MANY_TRIES[retryAt].
 */
export async function changeLoginPassword(
  context: PasswordContext,
  change: { readonly oldPassword: string; readonly password: string; readonly confirmPassword: string },
  by: BySession & { readonly deviceKey?: DeviceKey | null },
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  if (change.password !== change.confirmPassword) return refuse("PASSWORDS_DIFFER");
  const account = await readAccount(pool, by.memberId);
  const judged = await judgePassword(change.password, account.email ?? account.phone ?? "");
  if (!judged.ok) return judged;
  const checked = await checkLoginPassword(pool, account, change.oldPassword, by);
  if (!checked.ok) return checked;
  const passwordHash = await hashPassword(change.password);
  const ended = await pool.transaction(async (db) => {
    const changed = await db.query(
      "UPDATE members SET password_hash = $2 WHERE member_id = $1 AND password_hash = $3 RETURNING member_id",
      [by.memberId, passwordHash, account.password_hash],
    );
    if (changed.length === 0) return null;
    await forgetDevices(db, by.memberId, by.deviceKey);
    await tellMember(db, by.memberId, "loginPasswordChanged", {});
    return endSessionRows(db, { memberId: by.memberId, except: by.sessionId, now: by.now });
  });
  // Another request changed it in between, so what was checked is no longer the password.
  if (ended === null) return refuse("WRONG_PASSWORD");
  announceEnded(context, ended);
  mailMember(context, account, by.now);
  return accept(null);
}

/**
 * Sets a forgotten login password with a code and, if the member has one, the second factor. Ends all sessions, clears
 * the wait after strangers' guesses, and pauses withdrawals. The second factor is asked for when the code was right and
 * before it is used up, so that a stranger doesn't learn whether there is one. Refuses PASSWORDS_DIFFER,
 * PASSWORD_TOO_SHORT[min], PASSWORD_COMMON, BAD_CODE (also if no one has the address), CODE_EXPIRED,
 * TOO_MANY_TRIES[retryAt]; CLOSED; SECOND_FACTOR_REQUIRED[means,question], SECOND_FACTOR_WRONG.
 */
export async function resetPassword(
  context: ResetContext,
  reset: { readonly password: string; readonly confirmPassword: string; readonly secondFactor?: string | undefined },
  entry: Omit<CodeEntry, "purpose" | "deviceKey"> & OnDevice,
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  if (reset.password !== reset.confirmPassword) return refuse("PASSWORDS_DIFFER");
  const judged = await judgePassword(reset.password, entry.address);
  if (!judged.ok) return judged;
  const code = { ...entry, purpose: "reset", deviceKey: entry.deviceKey ?? null } as const;
  const checked = await checkCode(pool, code);
  if (!checked.ok) return checked;
  const rows = await pool.query<Account & { standing: string }>(
    "SELECT member_id, phone, email, language, password_hash, standing FROM members WHERE phone = $1 OR email = $1",
    [entry.address],
  );
  const account = rows[0];
  if (account === undefined) return wrongCode();
  if (account.standing === "closed") return refuse("CLOSED");
  const factor = await judgeSecondFactor(context, account.member_id, reset.secondFactor, {
    purpose: "reset",
    now: entry.now,
  });
  if (!factor.ok) return factor;
  const passwordHash = await hashPassword(reset.password);
  let deviceKey: string | null = null;
  let warning: Warning | null = null;
  const ended = await pool.transaction(async (db): Promise<Verdict<SessionId[]>> => {
    // Checked first: a refused password leaves the code unused.
    if (!(await spendSecondFactor(db, account.member_id, factor.value, entry.now))) return wrongFactor();
    if (!(await useCode(db, code))) return wrongCode();
    await db.query("UPDATE members SET password_hash = $2 WHERE member_id = $1", [account.member_id, passwordHash]);
    // Guesses at the old password don't count for the new one, and the person who has the code owns this device.
    await forgetTries(db, "login", accountSubjects(account));
    await forgetDevices(db, account.member_id);
    deviceKey = (await rememberVisitor(context.config.secret, db, account.member_id, entry))?.text ?? null;
    const restsUntil = await restWithdrawals(db, context, account.member_id, "login");
    warning = await warnMember(db, context, account.member_id, { key: "loginPasswordReset", params: {}, restsUntil });
    return accept(await endSessionRows(db, { memberId: account.member_id, now: entry.now }));
  });
  if (!ended.ok) return ended;
  if (deviceKey !== null) entry.keepDeviceKey?.(deviceKey);
  announceEnded(context, ended.value);
  if (warning !== null) sendWarning(context, warning);
  return accept(null);
}

/**
 * Checks and sets the six digits asked for before money leaves. Few tries are allowed a day, since a program soon tries
 * a million values.
 */
import { accept, type Instant, isGuessablePin, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Database, Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { tellMember } from "../notices/index.ts";
import { judgeSecondFactor, spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import { forgetTries, reserveTry, triesPerDay } from "../../platform/attempts.ts";
import { type BySession, checkLoginPassword, readAccount } from "./change-login-password.ts";
import { checkCode, useCode, wrongCode } from "./codes.ts";
import { createTurns } from "../../platform/limiter.ts";
import { hashPassword, passwordMatches } from "./passwords.ts";
import { restWithdrawals } from "./rest-withdrawals.ts";
import type { SessionContext } from "./session-context.ts";

type Databases = Pick<Context, "databases">;
export const TRADE_PASSWORD_TRIES = 5;
/** Makes a member's simultaneous requests (double taps, second tabs) wait here rather than each hold a connection. */
const turns = createTurns();

/**
 * Judges a member's transaction password. Refuses TRADE_PASSWORD_NOT_SET, TRADE_PASSWORD_WRONG[left],
 * TRADE_PASSWORD_LOCKED[until]. While it is locked, the right one is refused as well; before that, the right one clears
 * the wrong tries. A member's tries are judged one after the other, across all processes. Otherwise a try that is being
 * judged would count against right ones sent at the same time.
 */
export function checkTradePassword(
  { databases }: Databases,
  memberId: MemberId,
  password: string,
  now: Instant,
): Promise<Verdict<null>> {
  return turns(String(memberId), () => judgeTradePassword(databases.sessions, memberId, password, now));
}

async function judgeTradePassword(
  pool: Database,
  memberId: MemberId,
  password: string,
  now: Instant,
): Promise<Verdict<null>> {
  const rows = await pool.query<{ trade_password_hash: string | null }>(
    "SELECT trade_password_hash FROM members WHERE member_id = $1",
    [memberId],
  );
  const hash = rows[0]?.trade_password_hash ?? null;
  if (hash === null) return refuse("TRADE_PASSWORD_NOT_SET");
  const subject = `member:${memberId}`;
  return pool.transaction(async (db) => {
    // Holds the member's row of tries until this one is judged.
    const mark = await reserveTry(db, "tradePassword", { subject, waits: triesPerDay(TRADE_PASSWORD_TRIES) }, now);
    if (!mark.ok) return refuse("TRADE_PASSWORD_LOCKED", { until: Number(mark.retryAt) });
    if (!(await passwordMatches(hash, password))) return refuse("TRADE_PASSWORD_WRONG", { left: mark.left });
    await forgetTries(db, "tradePassword", [subject]);
    return accept(null);
  });
}

/** Refuses PASSWORD_COMMON for what a thief would try first, including the member's birth date. */
async function judgePin(pool: Queryable, memberId: MemberId, pin: string): Promise<Verdict<null>> {
  const rows = await pool.query<{ birth_date: string }>(
    "SELECT birth_date::text AS birth_date FROM identity_basics WHERE member_id = $1",
    [memberId],
  );
  return isGuessablePin(pin, rows[0]?.birth_date)
    ? refuse("PASSWORD_COMMON", undefined, { password: "PASSWORD_COMMON" })
    : accept(null);
}

type TradePasswordContext = Pick<SessionContext, "databases" | "config" | "messenger" | "bus">;

/** A new transaction password, and the proof that it is the member who sets it. */
export interface TradePasswordChange {
  readonly password: string;
  readonly confirmPassword: string;
  /** The current transaction password. Needed if there is one. */
  readonly oldPassword?: string | undefined;
  /** The login password. Needed if there is no transaction password yet. */
  readonly loginPassword?: string | undefined;
}

/**
 * Sets the transaction password. The first one needs the login password, so that an open session alone can't take money
 * out. If there is one already, `oldPassword` must match it. Refuses PASSWORDS_DIFFER, PASSWORD_COMMON, FIELD_MISSING
 * (loginPassword or oldPassword), WRONG_PASSWORD, TOO_MANY_TRIES[retryAt], TRADE_PASSWORD_WRONG[left],
 * TRADE_PASSWORD_LOCKED[until].
 */
export async function setTradePassword(
  context: TradePasswordContext,
  change: TradePasswordChange,
  by: BySession,
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  const { memberId } = by;
  if (change.password !== change.confirmPassword) return refuse("PASSWORDS_DIFFER");
  const judged = await judgePin(pool, memberId, change.password);
  if (!judged.ok) return judged;
  const rows = await pool.query<{ trade_password_hash: string | null }>(
    "SELECT trade_password_hash FROM members WHERE member_id = $1",
    [memberId],
  );
  const before = rows[0]?.trade_password_hash ?? null;
  const allowed = await (before === null ? judgeFirst(pool, change, by) : judgeChange(context, change, by));
  if (!allowed.ok) return allowed;
  const hash = await hashPassword(change.password);
  const done = await pool.transaction(async (db) => {
    const stored = await db.query(
      "UPDATE members SET trade_password_hash = $2 WHERE member_id = $1 AND trade_password_hash IS NOT DISTINCT FROM $3 RETURNING member_id",
      [memberId, hash, before],
    );
    // Another request set it in between, so the member must prove that they know the new one.
    if (stored.length === 0) return refuse("CONFLICT");
    if (before === null)
      return accept(await warnMember(db, context, memberId, { key: "tradePasswordSet", params: {} }));
    await tellMember(db, memberId, "tradePasswordChanged", {});
    return accept(null);
  });
  if (!done.ok) return done;
  if (done.value !== null) sendWarning(context, done.value);
  return accept(null);
}

async function judgeFirst(
  pool: Queryable,
  { loginPassword }: TradePasswordChange,
  by: BySession,
): Promise<Verdict<null>> {
  if (loginPassword === undefined) return refuse("FIELD_MISSING", undefined, { loginPassword: "FIELD_MISSING" });
  return checkLoginPassword(pool, await readAccount(pool, by.memberId), loginPassword, by);
}

async function judgeChange(
  context: Databases,
  { oldPassword }: TradePasswordChange,
  { memberId, now }: BySession,
): Promise<Verdict<null>> {
  if (oldPassword === undefined) return refuse("FIELD_MISSING", undefined, { oldPassword: "FIELD_MISSING" });
  return checkTradePassword(context, memberId, oldPassword, now);
}

/**
 * Sets a forgotten transaction password with a code to the member's own address, the login password and the second
 * factor, if there is one. Ends a lock and pauses withdrawals. Refuses PASSWORDS_DIFFER, PASSWORD_COMMON, FIELD_INVALID
 * (no address on that channel), WRONG_PASSWORD, BAD_CODE, CODE_EXPIRED, TOO_MANY_TRIES[retryAt],
 * SECOND_FACTOR_REQUIRED[means,question], SECOND_FACTOR_WRONG.
 */
export async function resetTradePassword(
  context: TradePasswordContext & Pick<SessionContext, "log">,
  reset: {
    readonly channel: "phone" | "email";
    readonly code: string;
    readonly loginPassword: string;
    readonly password: string;
    readonly confirmPassword: string;
    readonly secondFactor?: string | undefined;
  },
  by: BySession & { readonly ip: string; readonly deviceKey?: DeviceKey | null },
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  if (reset.password !== reset.confirmPassword) return refuse("PASSWORDS_DIFFER");
  const judged = await judgePin(pool, by.memberId, reset.password);
  if (!judged.ok) return judged;
  const account = await readAccount(pool, by.memberId);
  const address = account[reset.channel];
  if (address === null) return refuse("FIELD_INVALID", undefined, { channel: "FIELD_INVALID" });
  const known = await checkLoginPassword(pool, account, reset.loginPassword, by);
  if (!known.ok) return known;
  const entry = {
    purpose: "tradePassword",
    address,
    code: reset.code,
    ...by,
    deviceKey: by.deviceKey ?? null,
  } as const;
  const checked = await checkCode(pool, entry);
  if (!checked.ok) return checked;
  const { memberId, sessionId, now } = by;
  const ask = { purpose: "tradePassword", sessionId, now } as const;
  const factor = await judgeSecondFactor(context, memberId, reset.secondFactor, ask);
  if (!factor.ok) return factor;
  const hash = await hashPassword(reset.password);
  const warning = await pool.transaction(async (db): Promise<Verdict<Warning>> => {
    // Checked first: a refused password leaves the code unused.
    if (!(await spendSecondFactor(db, memberId, factor.value, now))) return wrongFactor();
    if (!(await useCode(db, entry))) return wrongCode();
    await db.query("UPDATE members SET trade_password_hash = $2 WHERE member_id = $1", [by.memberId, hash]);
    await forgetTries(db, "tradePassword", [`member:${by.memberId}`]);
    const restsUntil = await restWithdrawals(db, context, by.memberId, "transaction");
    return accept(await warnMember(db, context, by.memberId, { key: "tradePasswordReset", params: {}, restsUntil }));
  });
  if (!warning.ok) return warning;
  sendWarning(context, warning.value);
  return accept(null);
}

import { accept, refuse, type Verdict } from "@fairtick/domain";
import { judgeSecondFactor, spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import {
  beginRest,
  type BySession,
  checkLoginPassword,
  instantText,
  readAccount,
  type SessionContext,
} from "../sessions/index.ts";

/**
 * Lifts a member's own freeze with the login password and the second factor, if they have one. A withdrawal rest follows.
 * Refuses CONFLICT if nothing is frozen, WRONG_PASSWORD, TOO_MANY_TRIES[retryAt], SECOND_FACTOR_REQUIRED[means,question], and
 * SECOND_FACTOR_WRONG.
 */
export async function liftOwnFreeze(
  context: Pick<SessionContext, "databases" | "bus" | "messenger" | "config" | "log">,
  { loginPassword, secondFactor }: { readonly loginPassword: string; readonly secondFactor?: string | undefined },
  by: BySession,
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  const known = await checkLoginPassword(pool, await readAccount(pool, by.memberId), loginPassword, by);
  if (!known.ok) return known;
  const { memberId, sessionId, now } = by;
  const factor = await judgeSecondFactor(context, memberId, secondFactor, { purpose: "settings", sessionId, now });
  if (!factor.ok) return factor;
  const warning = await pool.transaction(async (db): Promise<Verdict<Warning>> => {
    if (!(await spendSecondFactor(db, memberId, factor.value, now))) return wrongFactor();
    const [row] = await db.query<{ lifted: boolean }>("SELECT lift_own_freeze($1) AS lifted", [by.memberId]);
    if (row?.lifted !== true) return refuse("CONFLICT");
    const until = (await beginRest(db, context, by.memberId, "freeze")) ?? by.now;
    const params = { until: instantText(until) };
    return accept(await warnMember(db, context, by.memberId, { key: "freezeLifted", params }));
  });
  if (!warning.ok) return warning;
  sendWarning(context, warning.value);
  return accept(null);
}

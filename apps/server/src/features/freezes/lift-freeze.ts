import { accept, refuse, type Verdict } from "@fairtick/domain";
import { sendWarning, warnMember } from "../security-notices/index.ts";
import {
  beginRest,
  type BySession,
  checkLoginPassword,
  instantText,
  readAccount,
  type SessionContext,
} from "../sessions/index.ts";

/**
 * Lifts a member's own freeze with the login password; withdrawals rest for a while after it. CONFLICT where nothing is
 * frozen, WRONG_PASSWORD, TOO_MANY_TRIES[retryAt].
 */
export async function liftOwnFreeze(
  context: Pick<SessionContext, "databases" | "bus" | "messenger" | "config">,
  { loginPassword }: { readonly loginPassword: string },
  by: BySession,
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  const known = await checkLoginPassword(pool, await readAccount(pool, by.memberId), loginPassword, by);
  if (!known.ok) return known;
  const warning = await pool.transaction(async (db) => {
    const [row] = await db.query<{ lifted: boolean }>("SELECT lift_own_freeze($1) AS lifted", [by.memberId]);
    if (row?.lifted !== true) return null;
    const until = (await beginRest(db, context, by.memberId, "freeze")) ?? by.now;
    return warnMember(db, context, by.memberId, { key: "freezeLifted", params: { until: instantText(until) } });
  });
  if (warning === null) return refuse("CONFLICT");
  sendWarning(context, warning);
  return accept(null);
}

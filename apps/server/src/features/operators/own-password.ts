import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorRequest, OperatorSession } from "../../platform/console/index.ts";
import { accountSubject, guess, ipSubject, passwordMatches, TRIES_PER_DAY } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";

/** An office of many people has one address. */
const TRIES_PER_ADDRESS = 3 * TRIES_PER_DAY;

/** Whose tries at an operator's password are counted, at the door and behind it. */
export function passwordLimits(login: string, ip: string) {
  return [
    { subject: accountSubject(`operator:${login}`), max: TRIES_PER_DAY },
    { subject: `operator-${ipSubject(ip)}`, max: TRIES_PER_ADDRESS },
  ];
}

/**
 * The password of one who is logged in, before his second factors change: a console left open is no way to stay in it.
 * Refuses WRONG_PASSWORD and TOO_MANY_TRIES[retryAt]; the tries are those of logging in.
 */
export function checkOwnPassword(
  context: OperatorContext,
  session: OperatorSession,
  password: string,
  { db, ip, now }: Pick<OperatorRequest<never>, "db" | "ip" | "now">,
): Promise<Verdict<null>> {
  const limits = passwordLimits(session.login, ip);
  return guess(context.databases.console, { kind: "login", limits, now }, async () => {
    const [operator] = await db.query<{ password_hash: string | null }>(
      "SELECT password_hash FROM operators WHERE operator_id = $1",
      [session.operatorId],
    );
    const matches = await passwordMatches(operator?.password_hash ?? null, password);
    return matches ? accept(null) : refuse("WRONG_PASSWORD");
  });
}

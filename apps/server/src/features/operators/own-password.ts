import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { JudgedRequest, OperatorSession } from "../../platform/console/index.ts";
import { CAREFUL, guess, passwordMatches } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";

/** What operators' tries at passwords are counted under, so that no member's name is one of theirs. */
export function operatorAccount(login: string): string {
  return `operator:${login}`;
}

/**
 * The password of one who is logged in, before their second factors change: a console left open is no way to stay in it.
 * Refuses WRONG_PASSWORD and TOO_MANY_TRIES[retryAt]; the tries are the session's own. Holds no connection meanwhile.
 */
export function checkOwnPassword(
  context: OperatorContext,
  session: OperatorSession,
  password: string,
  { now }: Pick<JudgedRequest<never>, "now">,
): Promise<Verdict<null>> {
  const pool = context.databases.console;
  const attempt = { kind: "login", subject: `operator-session:${session.sessionId}`, waits: CAREFUL, now } as const;
  return guess(pool, attempt, async () => {
    const [operator] = await pool.query<{ password_hash: string | null }>(
      "SELECT password_hash FROM operators WHERE operator_id = $1",
      [session.operatorId],
    );
    const matches = await passwordMatches(operator?.password_hash ?? null, password, "operator");
    return matches ? accept(null) : refuse("WRONG_PASSWORD");
  });
}

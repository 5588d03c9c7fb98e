import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { JudgedRequest, OperatorSession } from "../../platform/console/index.ts";
import { CAREFUL, guess, passwordMatches } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";

/**
 * Returns the name under which an operator's tries at passwords are counted, so that they never mix with a member's.
 */
export function operatorAccount(login: string): string {
  return `operator:${login}`;
}

/**
 * Judges the password of a logged-in operator before their second factors change, so that a console left open can't be
 * taken over. Refuses WRONG_PASSWORD and TOO_MANY_TRIES[retryAt]; tries are counted per session. Holds no connection
 * meanwhile.
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

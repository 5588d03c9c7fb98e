import type { Context } from "../../platform/context.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";

/** Why withdrawals pause: a password was reset, the last second factor was removed, or a freeze was lifted. */
export type RestCause = "login" | "transaction" | "factor" | "freeze";

/**
 * Pauses a member's withdrawals, in the transaction that resets one of their passwords with a code, because anyone who
 * reads their mail could have done it. Returns when withdrawals can be paid again, in milliseconds; null if the house
 * doesn't pause them.
 */
export async function restWithdrawals(
  db: Queryable,
  context: Pick<Context, "config">,
  memberId: bigint,
  password: "login" | "transaction",
): Promise<bigint | null> {
  const until = await beginRest(db, context, memberId, password);
  if (until !== null) await tellMember(db, memberId, "withdrawalsRest", { until: instantText(until) });
  return until;
}

/** Pauses a member's withdrawals without a message. Returns until when; null if the house doesn't pause them. */
export async function beginRest(
  db: Queryable,
  { config }: Pick<Context, "config">,
  memberId: bigint,
  cause: RestCause,
): Promise<bigint | null> {
  if (config.withdrawalRestHours === 0) return null;
  // The statement writes one pause and returns its end.
  const [rest] = await db.query<{ until: Present<bigint> }>("SELECT begin_withdrawal_rest($1, $2, $3) AS until", [
    memberId,
    cause,
    config.withdrawalRestHours,
  ]);
  if (rest === undefined) throw new Error("the withdrawal rest did not begin");
  return rest.until;
}

/** Formats an instant the way messages store it. */
export function instantText(ms: bigint): string {
  return new Date(Number(ms)).toISOString();
}

import { accept, type Instant, type MemberId, type Verdict } from "@fairtick/domain";
import { checkLoginPassword, endAllSessions, readAccount, type SessionContext } from "../sessions/index.ts";
import { finishClosings } from "./finish-closings.ts";

export type ClosingContext = Pick<SessionContext, "databases" | "bus" | "messenger">;

/**
 * Closes a member's account at their request. From now on nothing new can start, and once none of their orders is running,
 * their sessions end and nobody can log in. Until then they can watch their orders. A member who withdraws their consent is
 * logged out at once. Repeating the call changes nothing. Refuses WRONG_PASSWORD and TOO_MANY_TRIES[retryAt].
 */
export async function closeAccount(
  context: ClosingContext,
  wish: { readonly loginPassword: string; readonly reason: "member" | "consent" },
  by: { readonly memberId: MemberId; readonly sessionId: bigint; readonly now: Instant },
): Promise<Verdict<null>> {
  const pool = context.databases.sessions;
  const account = await readAccount(pool, by.memberId);
  const checked = await checkLoginPassword(pool, account, wish.loginPassword, by);
  if (!checked.ok) return checked;
  await pool.transaction(async (db) => {
    await db.query("UPDATE members SET standing = 'closed' WHERE member_id = $1", [by.memberId]);
    await db.query(
      `INSERT INTO closings (member_id, reason, asked_at) VALUES ($1, $2, $3)
       ON CONFLICT (member_id) DO UPDATE SET reason = excluded.reason WHERE excluded.reason = 'consent'`,
      [by.memberId, wish.reason, by.now],
    );
  });
  if (wish.reason === "consent") await endAllSessions(context, by.memberId, by.now);
  await finishClosings(context, by.now);
  return accept(null);
}

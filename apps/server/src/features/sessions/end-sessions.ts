import { accept, type Instant, type MemberId, parseId, refuse, type SessionId, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { endSessionRows } from "./session-rows.ts";

/** Tells every process, after the commit, which sessions have ended: their calls and sockets are over. */
export function announceEnded({ bus }: Pick<Context, "bus">, sessionIds: readonly SessionId[]): void {
  if (sessionIds.length > 0) bus.publish("sessionsEnded", { sessionIds: [...sessionIds] });
}

/** Ends the session that asks. Ending it twice changes nothing. */
export async function logOut(
  context: Pick<Context, "databases" | "bus">,
  session: { readonly sessionId: bigint; readonly memberId: MemberId },
  now: Instant,
): Promise<void> {
  const ended = await endSessionRows(context.databases.sessions, {
    memberId: session.memberId,
    only: session.sessionId,
    now,
  });
  announceEnded(context, ended);
}

/** Ends one of the member's sessions. Refuses NOT_FOUND if it isn't theirs; ended ones count as theirs. */
export async function revokeSession(
  context: Pick<Context, "databases" | "bus">,
  memberId: MemberId,
  sessionId: string,
  now: Instant,
): Promise<Verdict<null>> {
  const id = parseId("session", sessionId);
  if (id === null) return refuse("NOT_FOUND");
  const ended = await endSessionRows(context.databases.sessions, { memberId, only: id, now });
  announceEnded(context, ended);
  if (ended.length > 0) return accept(null);
  const known = await context.databases.sessions.query(
    "SELECT 1 FROM sessions WHERE session_id = $1 AND member_id = $2",
    [id, memberId],
  );
  return known.length === 0 ? refuse("NOT_FOUND") : accept(null);
}

/** Ends all sessions of a member, for other features that lock them out (standing, closing). */
export async function endAllSessions(
  context: Pick<Context, "databases" | "bus">,
  memberId: MemberId,
  now: Instant,
): Promise<void> {
  announceEnded(context, await endSessionRows(context.databases.sessions, { memberId, now }));
}

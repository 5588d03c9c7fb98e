import { formatId, type Instant, type MemberId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { readSessionsOf } from "./session-rows.ts";

/** Lists the member's running sessions, the one used last first. */
export async function listSessions(
  { databases }: Pick<Context, "databases">,
  session: { readonly memberId: MemberId; readonly sessionId: bigint },
  now: Instant,
) {
  const rows = await readSessionsOf(databases.sessions, session.memberId, now);
  return rows.map((row) => ({
    sessionId: formatId("session", row.session_id),
    device: row.device,
    place: row.place,
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
    current: row.session_id === session.sessionId,
  }));
}

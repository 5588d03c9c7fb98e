import { accept, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { parseNoticeId, SHOWN } from "./notice-rows.ts";

/**
 * Marks a notice as read. Doing it twice changes nothing more. Refuses NOT_FOUND for a notice that the member can't
 * see.
 */
export async function markRead(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  noticeId: string,
): Promise<Verdict<null>> {
  const wanted = parseNoticeId(noticeId);
  if (wanted === null) return refuse("NOT_FOUND");
  if (wanted.kind === "announcement") {
    const known = await databases.sessions.query(
      `SELECT 1 FROM announcements a WHERE a.announcement_id = $1 AND ${SHOWN}`,
      [wanted.id],
    );
    if (known.length === 0) return refuse("NOT_FOUND");
    await databases.sessions.query(
      "INSERT INTO announcement_reads (member_id, announcement_id, read_at) VALUES ($1, $2, now_ms()) ON CONFLICT DO NOTHING",
      [memberId, wanted.id],
    );
    return accept(null);
  }
  const mine = "member_id = $1 AND message_id = $2";
  const known = await databases.sessions.query(`SELECT 1 FROM member_messages WHERE ${mine}`, [memberId, wanted.id]);
  if (known.length === 0) return refuse("NOT_FOUND");
  await databases.sessions.query(`UPDATE member_messages SET read_at = now_ms() WHERE ${mine} AND read_at IS NULL`, [
    memberId,
    wanted.id,
  ]);
  return accept(null);
}

/**
 * Counts the notices that a member has not read, and how many of them are messages to them. Announcements from before
 * the member registered don't count.
 */
export async function countUnreadNotices(
  db: Queryable,
  memberId: MemberId,
): Promise<{ readonly notices: number; readonly messages: number }> {
  const [row] = await db.query<{ messages: bigint; announcements: bigint }>(
    `SELECT (SELECT count(*) FROM member_messages WHERE member_id = $1 AND read_at IS NULL) AS messages,
       (SELECT count(*) FROM announcements a JOIN members m ON m.member_id = $1
          WHERE ${SHOWN} AND a.publish_at >= floor(extract(epoch FROM m.created_at) * 1000)
            AND NOT EXISTS (SELECT FROM announcement_reads r WHERE r.member_id = $1 AND r.announcement_id = a.announcement_id)) AS announcements`,
    [memberId],
  );
  const messages = Number(row?.messages ?? 0n);
  return { notices: messages + Number(row?.announcements ?? 0n), messages };
}

import type { LanguageCode } from "@fairtick/i18n";
import type { Notice } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { formatNoticeId, MESSAGE_SELECT, type MessageRow, presentMessage, SHOWN, withoutBody } from "./notice-rows.ts";

const FRESH_MS = 15_000;
/** The most notices to push at once. Clients read the rest of a larger burst by calls. */
const FRESH_MAX = 1_000;

export interface FreshNotice {
  readonly noticeId: string;
  /** The member; null for an announcement to everyone. */
  readonly memberId: bigint | null;
  inLanguage(lang: LanguageCode): Notice;
}

/**
 * Reads announcements and messages to these members from the last seconds, for the stream. All of them count as unread.
 */
export async function readFreshNotices(
  { databases }: Pick<Context, "databases">,
  members: readonly bigint[],
): Promise<FreshNotice[]> {
  const announcements = await databases.reader.query<{
    announcement_id: bigint;
    publish_at: bigint;
    titles: Readonly<Record<string, string>>;
  }>(
    `SELECT a.announcement_id, a.publish_at, jsonb_object_agg(t.language, t.title) AS titles
     FROM announcements a JOIN announcement_texts t USING (announcement_id)
     WHERE ${SHOWN} AND a.publish_at > now_ms() - $1::bigint GROUP BY a.announcement_id ORDER BY a.publish_at LIMIT ${FRESH_MAX}`,
    [FRESH_MS],
  );
  const messages =
    members.length === 0
      ? []
      : await databases.reader.query<MessageRow>(
          `${MESSAGE_SELECT} WHERE sent_at > now_ms() - $1::bigint AND member_id = ANY($2::bigint[]) ORDER BY message_id LIMIT ${FRESH_MAX}`,
          [FRESH_MS, members],
        );
  return [
    ...announcements.map(({ announcement_id, publish_at, titles }) => {
      const noticeId = formatNoticeId("announcement", announcement_id);
      return {
        noticeId,
        memberId: null,
        inLanguage: (lang: LanguageCode): Notice => ({
          noticeId,
          kind: "announcement",
          title: titles[lang] ?? titles["en"] ?? "",
          publishedAt: Number(publish_at),
          read: false,
        }),
      };
    }),
    ...messages.map((row) => ({
      noticeId: formatNoticeId("message", row.message_id),
      memberId: row.member_id,
      inLanguage: (lang: LanguageCode) => withoutBody(presentMessage(row, lang)),
    })),
  ];
}

/** Reads announcements that ended or were withdrawn in the last seconds. */
export async function readGoneAnnouncements({ databases }: Pick<Context, "databases">): Promise<string[]> {
  const rows = await databases.reader.query<{ announcement_id: bigint }>(
    `SELECT announcement_id FROM announcements
     WHERE published_at IS NOT NULL AND publish_at <= least(withdrawn_at, ends_at)
       AND least(withdrawn_at, ends_at) BETWEEN now_ms() - $1::bigint AND now_ms() LIMIT ${FRESH_MAX}`,
    [FRESH_MS],
  );
  return rows.map((row) => formatNoticeId("announcement", row.announcement_id));
}

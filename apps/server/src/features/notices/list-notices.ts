import { accept, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Notice } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import {
  ANNOUNCEMENT_SELECT,
  type AnnouncementRow,
  MESSAGE_SELECT,
  type MessageRow,
  type NoticeKind,
  type NoticeWithBody,
  parseNoticeId,
  presentAnnouncement,
  presentMessage,
  SHOWN,
  withoutBody,
} from "./notice-rows.ts";

const PAGE_NOTICES = 20;
const ID_END = (1n << 63n) - 1n;

export interface Reader {
  /** The reader; null for a visitor. */
  readonly memberId: MemberId | null;
  readonly lang: LanguageCode;
}

interface NoticePage {
  readonly items: Notice[];
  readonly nextCursor: string | null;
}

/**
 * Lists announcements, or the reader's own messages, newest first. Refuses LOGIN_REQUIRED if a visitor asks for
 * messages, FIELD_INVALID for a bad cursor or one of the other kind.
 */
export async function listNotices(
  { databases }: Pick<Context, "databases">,
  { memberId, lang }: Reader,
  page: { readonly kind: NoticeKind; readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<Verdict<NoticePage>> {
  const before = page.cursor === undefined ? { kind: page.kind, id: ID_END } : parseNoticeId(page.cursor);
  if (before?.kind !== page.kind) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = page.limit ?? PAGE_NOTICES;
  if (page.kind === "announcement") {
    const rows = await databases.reader.query<AnnouncementRow>(
      `${ANNOUNCEMENT_SELECT} WHERE ${SHOWN} AND ($3::bigint = ${ID_END} OR (a.publish_at, a.announcement_id) <
         (SELECT publish_at, announcement_id FROM announcements WHERE announcement_id = $3))
       ORDER BY a.publish_at DESC, a.announcement_id DESC LIMIT $4`,
      [lang, memberId, before.id, limit + 1],
    );
    return accept(pageOf(rows.map(presentAnnouncement), limit));
  }
  if (memberId === null) return refuse("LOGIN_REQUIRED");
  const rows = await databases.reader.query<MessageRow>(
    `${MESSAGE_SELECT} WHERE member_id = $1 AND message_id < $2 ORDER BY message_id DESC LIMIT $3`,
    [memberId, before.id, limit + 1],
  );
  return accept(
    pageOf(
      rows.map((row) => presentMessage(row, lang)),
      limit,
    ),
  );
}

function pageOf(found: readonly NoticeWithBody[], limit: number): NoticePage {
  const items = found.slice(0, limit).map(withoutBody);
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.noticeId ?? null) : null };
}

/** Reads one notice. Refuses NOT_FOUND if it isn't shown or is another member's. */
export async function readNotice(
  { databases }: Pick<Context, "databases">,
  { memberId, lang }: Reader,
  noticeId: string,
): Promise<Verdict<NoticeWithBody>> {
  const wanted = parseNoticeId(noticeId);
  if (wanted === null) return refuse("NOT_FOUND");
  if (wanted.kind === "announcement") {
    const [row] = await databases.reader.query<AnnouncementRow>(
      `${ANNOUNCEMENT_SELECT} WHERE ${SHOWN} AND a.announcement_id = $3`,
      [lang, memberId, wanted.id],
    );
    return row === undefined ? refuse("NOT_FOUND") : accept(presentAnnouncement(row));
  }
  const [row] = await databases.reader.query<MessageRow>(`${MESSAGE_SELECT} WHERE member_id = $1 AND message_id = $2`, [
    memberId,
    wanted.id,
  ]);
  return row === undefined ? refuse("NOT_FOUND") : accept(presentMessage(row, lang));
}

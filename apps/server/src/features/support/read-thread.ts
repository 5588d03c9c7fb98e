import {
  accept,
  isAlways,
  isSupportOpen,
  type MemberId,
  refuse,
  type SupportHours,
  type Verdict,
} from "@fairtick/domain";
import { type LanguageCode, languageOf } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import type { Output, SupportMessage, supportThread } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatMessageId, parseMessageId, presentMessage, SUPPORT_SELECT, type SupportRow } from "./support-rows.ts";

const PAGE_MESSAGES = 30;
const ID_END = (1n << 63n) - 1n;

export interface MessagePage {
  readonly items: SupportMessage[];
  readonly nextCursor: string | null;
}

interface Page {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Lists the messages of a member's chat, newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listMessages(db: Queryable, memberId: bigint, page: Page): Promise<Verdict<MessagePage>> {
  const before = page.cursor === undefined ? ID_END : parseMessageId(page.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = page.limit ?? PAGE_MESSAGES;
  const rows = await db.query<SupportRow>(
    `${SUPPORT_SELECT} WHERE m.member_id = $1 AND m.message_id < $2 ORDER BY m.message_id DESC LIMIT $3`,
    [memberId, before, limit + 1],
  );
  const items = rows.slice(0, limit).map(presentMessage);
  const last = rows[limit - 1];
  return accept({
    items,
    nextCursor: rows.length > limit && last !== undefined ? formatMessageId(last.message_id) : null,
  });
}

/** Reads all messages of a member's chat, newest first. */
export async function* eachSaid(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
): AsyncGenerator<SupportMessage> {
  let cursor: string | undefined;
  do {
    const page = await listMessages(databases.reader, memberId, { cursor, limit: 500 });
    if (!page.ok) throw new Error("the cursor of an export was refused");
    yield* page.value.items;
    cursor = page.value.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Reads a member's chat, with what the member should know before they write: whether it is office time and someone is
 * there.
 */
export async function readThread(
  { databases, config, clock }: Pick<Context, "databases" | "config" | "clock">,
  memberId: MemberId,
  page: Page,
  lang: LanguageCode,
): Promise<Verdict<Output<typeof supportThread>>> {
  const messages = await listMessages(databases.reader, memberId, page);
  if (!messages.ok) return messages;
  const [there] = await databases.reader.query<{ there: boolean }>("SELECT support_is_there() AS there");
  return accept({
    messages: messages.value,
    unread: await countUnreadSupport(databases.reader, memberId),
    officeHours: hoursInWords(config.supportHours, lang),
    officeOpen: isSupportOpen(config.supportHours, clock.now()),
    operatorOnline: there?.there ?? false,
  });
}

/** Counts the answers that the member has not read. */
export async function countUnreadSupport(db: Queryable, memberId: MemberId): Promise<number> {
  const [row] = await db.query<{ unread: bigint }>(
    `SELECT count(*) AS unread FROM support_messages m JOIN support_threads t USING (member_id)
     WHERE m.member_id = $1 AND m.operator_id IS NOT NULL AND m.message_id > t.member_read`,
    [memberId],
  );
  return Number(row?.unread ?? 0n);
}

/** Reads a message by member and id, for the stream; null if there is none. */
export async function readSupportMessage(
  { databases }: Pick<Context, "databases">,
  memberId: bigint,
  messageId: bigint,
): Promise<SupportMessage | null> {
  const [row] = await databases.reader.query<SupportRow>(
    `${SUPPORT_SELECT} WHERE m.member_id = $1 AND m.message_id = $2`,
    [memberId, messageId],
  );
  return row === undefined ? null : presentMessage(row);
}

function hoursInWords(hours: SupportHours, lang: LanguageCode): string {
  if (isAlways(hours)) return translate(lang, "message.support.always");
  const { locale } = languageOf(lang);
  // 5 January 1970 was a Monday.
  const day = (number: number) =>
    new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format((number + 3) * 86_400_000);
  const time = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return translate(lang, "message.support.hours", {
    first: day(hours.firstDay),
    last: day(hours.lastDay),
    opens: time(hours.opensAt),
    closes: time(hours.closesAt),
  });
}

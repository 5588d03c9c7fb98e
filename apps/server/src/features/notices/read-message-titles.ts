import type { LanguageCode } from "@fairtick/i18n";
import type { Context } from "../../platform/context.ts";
import { MESSAGE_SELECT, type MessageRow, presentMessage } from "./notice-rows.ts";

/** Reads messages by id, with their titles in every language. */
export async function readMessageTitles({ databases }: Pick<Context, "databases">, messageIds: readonly bigint[]) {
  const rows = await databases.reader.query<MessageRow>(
    `${MESSAGE_SELECT} WHERE message_id = ANY ($1::bigint[]) ORDER BY message_id`,
    [messageIds.map(String)],
  );
  return rows.map((row) => ({
    memberId: row.member_id,
    messageId: row.message_id,
    sentAt: row.sent_at,
    titleIn: (lang: LanguageCode) => presentMessage(row, lang).title,
  }));
}

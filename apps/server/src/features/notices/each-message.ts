import type { MemberId } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Context } from "../../platform/context.ts";
import { MESSAGE_SELECT, type MessageRow, type NoticeWithBody, presentMessage } from "./notice-rows.ts";

const ROWS_AT_ONCE = 500;
const ID_END = (1n << 63n) - 1n;

/** Reads all of a member's messages in their language, newest first. */
export async function* eachMessage(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
): AsyncGenerator<NoticeWithBody> {
  const [member] = await databases.reader.query<{ language: LanguageCode }>(
    "SELECT language FROM members WHERE member_id = $1",
    [memberId],
  );
  let before = ID_END;
  for (;;) {
    const rows = await databases.reader.query<MessageRow>(
      `${MESSAGE_SELECT} WHERE member_id = $1 AND message_id < $2 ORDER BY message_id DESC LIMIT ${ROWS_AT_ONCE}`,
      [memberId, before],
    );
    for (const row of rows) yield presentMessage(row, member?.language ?? "en");
    const last = rows.at(-1);
    if (last === undefined) return;
    before = last.message_id;
  }
}

import { accept, formatId, maskCards, type MemberId, parseId, refuse, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { SupportMessage } from "@fairtick/protocol";
import type { SupportEntry } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { parseFileId } from "../files/index.ts";
import { personOf } from "../operators/index.ts";
import { listMessages, type MessagePage, presentSupportMessage, readByClientId } from "../support/index.ts";

const PAGE_THREADS = 50;
const EXCERPT = 80;

interface EntryRow {
  readonly member_id: MemberId;
  readonly account: string | null;
  readonly username: string | null;
  readonly language: LanguageCode;
  readonly newest_at: bigint;
  readonly waiting_since: bigint | null;
  readonly closed_at: bigint | null;
  readonly excerpt: string | null;
  readonly from_operator: boolean;
  readonly unread: bigint;
  readonly [person: string]: unknown;
}

const ENTRY_SELECT = `SELECT t.member_id, coalesce(m.email, m.phone) AS account, m.username, m.language, t.newest_at, t.waiting_since, t.closed_at,
    left(n.body, ${EXCERPT}) AS excerpt, n.operator_id IS NOT NULL AS from_operator,
    (SELECT count(*) FROM support_messages u WHERE u.member_id = t.member_id AND u.operator_id IS NULL AND u.message_id > t.operator_read) AS unread,
    o.operator_id AS assigned_id, o.login AS assigned_login, o.name AS assigned_name
  FROM support_threads t JOIN members m USING (member_id) JOIN support_messages n ON n.message_id = t.newest_id
    LEFT JOIN operators o ON o.operator_id = t.assigned_to`;

function presentEntry(row: EntryRow): SupportEntry {
  return {
    memberId: formatId("member", row.member_id),
    account: row.account ?? "",
    username: row.username,
    language: row.language,
    newestAt: Number(row.newest_at),
    excerpt: row.excerpt,
    from: row.from_operator ? "operator" : "member",
    unread: Number(row.unread),
    waitingSince: row.waiting_since === null ? null : Number(row.waiting_since),
    closedAt: row.closed_at === null ? null : Number(row.closed_at),
    assignedTo: personOf(row, "assigned"),
  };
}

/** Lists chats: those that wait longest first, then the newest. `mine` limits them to those assigned to the caller. */
export async function listInbox(
  db: Queryable,
  session: OperatorSession,
  {
    state = "open",
    limit = PAGE_THREADS,
  }: { readonly state?: "open" | "mine" | "closed" | undefined; readonly limit?: number | undefined },
): Promise<SupportEntry[]> {
  const rows = await db.query<EntryRow>(
    `${ENTRY_SELECT} WHERE (t.closed_at IS NOT NULL) = ($1 = 'closed') AND ($1 <> 'mine' OR t.assigned_to = $2)
     ORDER BY t.waiting_since NULLS LAST, t.newest_at DESC LIMIT $3`,
    [state, session.operatorId, limit],
  );
  return rows.map(presentEntry);
}

/** Reads since when members wait for an answer, longest first, each row with how many wait in all. */
export function readWaitingChats(db: Queryable, most: number): Promise<{ at: Present<bigint>; open: bigint }[]> {
  // The condition ensures that each thread has an instant.
  return db.query(
    `SELECT waiting_since AS at, count(*) OVER () AS open FROM support_threads
     WHERE waiting_since IS NOT NULL AND closed_at IS NULL ORDER BY waiting_since LIMIT $1`,
    [most],
  );
}

/** Reads a chat with its messages, newest first. Refuses NOT_FOUND if no one has written in it. */
export async function readChat(
  db: Queryable,
  input: { readonly memberId: string; readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<Verdict<{ entry: SupportEntry; messages: MessagePage }>> {
  const memberId = parseId("member", input.memberId);
  const [row] = await db.query<EntryRow>(`${ENTRY_SELECT} WHERE t.member_id = $1`, [memberId]);
  if (row === undefined) return refuse("NOT_FOUND");
  const messages = await listMessages(db, row.member_id, input);
  return messages.ok ? accept({ entry: presentEntry(row), messages: messages.value }) : messages;
}

/**
 * Answers a member. The operator who answers first is assigned the chat. Card numbers are hidden before anything is
 * stored. The same client id with the same words and picture returns the same message again. Refuses NOT_FOUND,
 * FIELD_INVALID (fileId) if it isn't a picture's id, CONFLICT for a picture that this operator didn't upload for this
 * member, CLIENT_ID_REUSED.
 */
export async function answerMember(
  db: Queryable,
  session: OperatorSession,
  input: {
    readonly memberId: string;
    readonly text?: string | undefined;
    readonly fileId?: string | undefined;
    readonly clientId: string;
  },
): Promise<Verdict<{ message: SupportMessage; memberId: bigint; fresh: bigint | null }>> {
  const memberId = await knownThread(db, input.memberId);
  if (memberId === null) return refuse("NOT_FOUND");
  const text = input.text === undefined ? null : maskCards(input.text);
  const fileId = input.fileId === undefined ? null : parseFileId(input.fileId);
  if (input.fileId !== undefined && fileId === null)
    return refuse("FIELD_INVALID", { field: "fileId" }, { fileId: "FIELD_INVALID" });
  const [written] = await db.query<{ id: bigint | null }>("SELECT answer_member($1, $2, $3, $4, $5, $6) AS id", [
    session.sessionId,
    memberId,
    text,
    fileId,
    input.clientId,
    formatId("member", memberId),
  ]);
  const row = await readByClientId(db, memberId, session.operatorId, input.clientId);
  if (row.body !== text || row.file_id !== fileId) return refuse("CLIENT_ID_REUSED");
  return accept({ message: presentSupportMessage(row), memberId, fresh: written?.id ?? null });
}

/**
 * Runs one of the verbs that send no message. Refuses NOT_FOUND if there is no chat, CONFLICT if there is nothing to
 * do.
 */
export async function changeThread(
  db: Queryable,
  session: OperatorSession,
  id: string,
  change: "read" | "take" | "giveBack" | "close",
): Promise<Verdict<MemberId>> {
  const memberId = await knownThread(db, id);
  if (memberId === null) return refuse("NOT_FOUND");
  const statement = {
    read: "SELECT read_as_operator($1, $2) AS done",
    take: "SELECT assign_support($1, $2, true) AS done",
    giveBack: "SELECT assign_support($1, $2, false) AS done",
    close: "SELECT close_support($1, $2) AS done",
  }[change];
  const [row] = await db.query<{ done: boolean }>(statement, [session.sessionId, memberId]);
  return row?.done === true || change === "read" ? accept(memberId) : refuse("CONFLICT");
}

export async function knownThread(db: Queryable, id: string): Promise<MemberId | null> {
  const memberId = parseId("member", id);
  const known = await db.query("SELECT 1 FROM support_threads WHERE member_id = $1", [memberId]);
  return known.length === 0 ? null : memberId;
}

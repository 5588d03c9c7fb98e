import { formatPrefixedId, parsePrefixedId } from "@fairtick/domain";
import { type LanguageCode, languageOf } from "@fairtick/i18n";
import { hasMessage, translate } from "@fairtick/i18n/server";
import type { Notice, NoticeSubject } from "@fairtick/protocol";
import type { Present } from "../../platform/database.ts";
import type { MessageKey } from "./tell-member.ts";

const PREFIXES = { announcement: "ann", message: "msg" } as const;
export type NoticeKind = keyof typeof PREFIXES;

export function formatNoticeId(kind: NoticeKind, id: bigint): string {
  return formatPrefixedId(PREFIXES[kind], id);
}

/** Parses a notice's id; null if the text isn't one. */
export function parseNoticeId(text: string): { readonly kind: NoticeKind; readonly id: bigint } | null {
  for (const kind of ["announcement", "message"] as const) {
    const id = parsePrefixedId(PREFIXES[kind], text);
    if (id !== null) return { kind, id };
  }
  return null;
}

/**
 * Condition for announcements `a` that are shown now, by the database's clock: published, begun, and neither over nor
 * withdrawn.
 */
export const SHOWN =
  "a.published_at IS NOT NULL AND a.withdrawn_at IS NULL AND a.publish_at <= now_ms() AND (a.ends_at IS NULL OR a.ends_at > now_ms())";

export interface AnnouncementRow {
  readonly announcement_id: bigint;
  readonly publish_at: bigint;
  readonly title: string;
  readonly body: string;
  /** Whether the reader has read it. Null only for a member who doesn't exist. */
  readonly read: Present<boolean>;
}

/**
 * Selects announcements in the language `$1`; each is published in all of them. `$2` is the member whose reads count,
 * null for a visitor.
 */
export const ANNOUNCEMENT_SELECT = `SELECT a.announcement_id, a.publish_at, t.title, t.body,
    $2::bigint IS NULL OR a.publish_at < (SELECT floor(extract(epoch FROM created_at) * 1000) FROM members WHERE member_id = $2)
      OR EXISTS (SELECT FROM announcement_reads r WHERE r.member_id = $2 AND r.announcement_id = a.announcement_id) AS read
  FROM announcements a JOIN announcement_texts t ON t.announcement_id = a.announcement_id AND t.language = $1`;

export interface MessageRow {
  readonly message_id: bigint;
  readonly member_id: bigint;
  readonly sent_at: bigint;
  readonly read_at: bigint | null;
  readonly message_key: string | null;
  readonly params: Readonly<Record<string, string>> | null;
  readonly title: string | null;
  readonly body: string | null;
}

export const MESSAGE_SELECT =
  "SELECT message_id, member_id, sent_at, read_at, message_key, params, title, body FROM member_messages";

export type NoticeWithBody = Notice & { readonly body: string; readonly about: NoticeSubject | null };

export function presentAnnouncement(row: AnnouncementRow): NoticeWithBody {
  return {
    noticeId: formatNoticeId("announcement", row.announcement_id),
    kind: "announcement",
    title: row.title,
    publishedAt: Number(row.publish_at),
    read: row.read,
    body: row.body,
    about: null,
  };
}

/**
 * Converts a message to the form of calls. A system message gets its words here, in the reader's language; an
 * operator's own words stay as they are.
 */
export function presentMessage(row: MessageRow, lang: LanguageCode): NoticeWithBody {
  return {
    noticeId: formatNoticeId("message", row.message_id),
    kind: "message",
    title: row.title ?? wordsOf(row, "title", lang),
    publishedAt: Number(row.sent_at),
    read: row.read_at !== null,
    body: row.body ?? wordsOf(row, "body", lang),
    about: subjectOf(row),
  };
}

const SECURITY: ReadonlySet<string> = new Set<MessageKey>([
  "loginPasswordChanged",
  "loginPasswordReset",
  "tradePasswordSet",
  "tradePasswordChanged",
  "tradePasswordReset",
  "withdrawalsRest",
  "withdrawalsRestUnprotected",
  "authenticatorAdded",
  "authenticatorRemoved",
  "orderDeviceAdded",
  "passkeyAdded",
  "passkeyRemoved",
  "recoveryCodesMade",
  "secondFactorOpened",
  "withdrawalsFrozen",
  "withdrawalAddressAdded",
  "freezeLifted",
  "newDevice",
  "tooManySessions",
  "sessionMoved",
]);

/**
 * Returns what the message is about, for a link to its screen; null for an operator's own words and if no screen shows
 * more about it.
 */
function subjectOf({ message_key: key, params }: MessageRow): NoticeSubject | null {
  const { depositNo, withdrawNo } = params ?? {};
  if (depositNo !== undefined) return { kind: "deposit", depositNo };
  if (withdrawNo !== undefined) return { kind: "withdrawal", withdrawNo };
  if (key?.startsWith("identity")) return { kind: "identity" };
  return key !== null && SECURITY.has(key) ? { kind: "security" } : null;
}

/** Returns the words of a message in a language, for mails, SMS and browsers. */
export function messageWords(
  key: MessageKey,
  params: Readonly<Record<string, string>>,
  lang: LanguageCode,
): { readonly title: string; readonly body: string } {
  const row = { message_key: key, params };
  return { title: wordsOf(row, "title", lang), body: wordsOf(row, "body", lang) };
}

function wordsOf(
  { message_key: key, params }: Pick<MessageRow, "message_key" | "params">,
  part: "title" | "body",
  lang: LanguageCode,
): string {
  const id = `message.${key ?? ""}.${part}`;
  if (!hasMessage(id)) throw new Error(`a message has no text: ${id}`);
  return translate(lang, id, localFigures(params ?? {}, lang));
}

const AMOUNTS: ReadonlySet<string> = new Set(["amount", "receives", "minimum", "owed", "arrived", "returned"]);

/** Formats amounts as the language writes them, with every decimal place, and days. */
function localFigures(params: Readonly<Record<string, string>>, lang: LanguageCode): Record<string, string> {
  const { locale } = languageOf(lang);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, localFigure(name, value, locale)]));
}

function localFigure(name: string, value: string, locale: string): string {
  if (AMOUNTS.has(name)) return localAmount(value, locale);
  if (name === "until")
    return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(
      new Date(value),
    );
  if (name !== "day") return value;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${value}T00:00:00Z`));
}

function localAmount(text: string, locale: string): string {
  const places = Math.max(2, (text.split(".")[1] ?? "").replace(/0+$/, "").length);
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places });
  // Format the string itself, since it keeps every digit. A number would not.
  return format.format(text as `${number}`);
}

/** Removes the body, since lists show only titles. */
export function withoutBody({ noticeId, kind, title, publishedAt, read }: NoticeWithBody): Notice {
  return { noticeId, kind, title, publishedAt, read };
}

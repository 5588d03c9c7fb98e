import {
  accept,
  formatPrefixedId,
  type Instant,
  parseId,
  parsePrefixedId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import { LANGUAGE_CODES, type LanguageCode } from "@fairtick/i18n";
import type { Announcement, NoticeText } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { personOf } from "../operators/index.ts";

const PREFIX = "ann";
const PAGE = 50;
const ID_END = (1n << 63n) - 1n;

interface Row {
  readonly announcement_id: bigint;
  readonly saved_at: bigint;
  readonly publish_at: bigint | null;
  readonly ends_at: bigint | null;
  readonly published_at: bigint | null;
  readonly withdrawn_at: bigint | null;
  readonly withdraw_reason: string | null;
  readonly state: Announcement["state"];
  readonly texts: Announcement["texts"] | null;
  readonly [person: string]: unknown;
}

const person = (name: string) =>
  `${name}.operator_id AS ${name}_by_id, ${name}.login AS ${name}_by_login, ${name}.name AS ${name}_by_name`;
const SELECT = `SELECT a.announcement_id, a.saved_at, a.publish_at, a.ends_at, a.published_at, a.withdrawn_at, a.withdraw_reason,
    CASE WHEN a.withdrawn_at IS NOT NULL THEN 'withdrawn' WHEN a.published_at IS NULL THEN 'draft'
      WHEN a.publish_at > now_ms() THEN 'scheduled' WHEN a.ends_at <= now_ms() THEN 'over' ELSE 'shown' END AS state,
    ${person("saved")}, ${person("published")}, ${person("withdrawn")},
    (SELECT jsonb_agg(jsonb_build_object('language', language, 'title', title, 'body', body))
       FROM announcement_texts t WHERE t.announcement_id = a.announcement_id) AS texts
  FROM announcements a JOIN operators saved ON saved.operator_id = a.saved_by
    LEFT JOIN operators published ON published.operator_id = a.published_by
    LEFT JOIN operators withdrawn ON withdrawn.operator_id = a.withdrawn_by`;

function present(row: Row): Announcement {
  const at = (instant: bigint | null) => (instant === null ? null : Number(instant));
  const places = new Map(LANGUAGE_CODES.map((code, place) => [code, place]));
  return {
    noticeId: formatPrefixedId(PREFIX, row.announcement_id),
    state: row.state,
    publishAt: at(row.publish_at),
    endsAt: at(row.ends_at),
    savedBy: whoOf(row, "saved") ?? { operatorId: "", login: "", name: "" },
    savedAt: Number(row.saved_at),
    publishedBy: whoOf(row, "published"),
    publishedAt: at(row.published_at),
    withdrawnBy: whoOf(row, "withdrawn"),
    withdrawnAt: at(row.withdrawn_at),
    withdrawReason: row.withdraw_reason,
    texts: (row.texts ?? []).toSorted(
      (one, other) => (places.get(one.language) ?? 0) - (places.get(other.language) ?? 0),
    ),
  };
}

function whoOf(row: Row, name: string) {
  return personOf(row, `${name}_by`);
}

async function readOne(db: Queryable, id: bigint): Promise<Verdict<Announcement>> {
  const [row] = await db.query<Row>(`${SELECT} WHERE a.announcement_id = $1`, [id]);
  return row === undefined ? refuse("NOT_FOUND") : accept(present(row));
}

/** Lists drafts, published announcements or all, newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listAnnouncements(
  db: Queryable,
  filters: {
    readonly state?: "drafts" | "published" | "all" | undefined;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<Verdict<{ items: Announcement[]; nextCursor: string | null }>> {
  const before = filters.cursor === undefined ? ID_END : parsePrefixedId(PREFIX, filters.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = filters.limit ?? PAGE;
  const rows = await db.query<Row>(
    `${SELECT} WHERE a.announcement_id < $1 AND ($2 = 'all' OR (a.published_at IS NULL) = ($2 = 'drafts'))
     ORDER BY a.announcement_id DESC LIMIT $3`,
    [before, filters.state ?? "all", limit + 1],
  );
  const items = rows.slice(0, limit).map(present);
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.noticeId ?? null) : null });
}

/** Saves a draft. Refuses NOT_FOUND for an unknown id, CONFLICT for an announcement that is already published. */
export async function saveAnnouncement(
  db: Queryable,
  session: OperatorSession,
  draft: {
    readonly noticeId?: string | undefined;
    readonly publishAt?: Instant | undefined;
    readonly endsAt?: Instant | undefined;
    readonly texts: readonly NoticeText[];
  },
): Promise<Verdict<Announcement>> {
  const id = draft.noticeId === undefined ? null : await knownId(db, draft.noticeId);
  if (draft.noticeId !== undefined && id === null) return refuse("NOT_FOUND");
  const texts = Object.fromEntries(draft.texts.map(({ language, title, body }) => [language, { title, body }]));
  const [saved] = await db.query<{ id: bigint }>("SELECT save_announcement($1, $2, $3, $4, $5) AS id", [
    session.sessionId,
    id,
    JSON.stringify(texts),
    draft.publishAt ?? null,
    draft.endsAt ?? null,
  ]);
  return readOne(db, saved?.id ?? 0n);
}

/**
 * Returns the announcement as readers of a language will see it. Refuses NOT_FOUND if it has no text in that language.
 */
export async function previewAnnouncement(db: Queryable, noticeId: string, language: LanguageCode) {
  const id = await knownId(db, noticeId);
  const [row] = await db.query<{ title: string; body: string; publish_at: bigint | null }>(
    "SELECT title, body, publish_at FROM announcement_texts JOIN announcements USING (announcement_id) WHERE announcement_id = $1 AND language = $2",
    [id, language],
  );
  if (row === undefined) return refuse("NOT_FOUND");
  return accept({
    title: row.title,
    body: row.body,
    publishedAt: row.publish_at === null ? null : Number(row.publish_at),
  });
}

/**
 * Publishes a draft. Refuses NOT_FOUND, FIELD_MISSING with the languages that lack a text, CONFLICT if it isn't a
 * draft.
 */
export async function publishAnnouncement(
  db: Queryable,
  session: OperatorSession,
  noticeId: string,
): Promise<Verdict<Announcement>> {
  const id = await knownId(db, noticeId);
  if (id === null) return refuse("NOT_FOUND");
  const written = await db.query<{ language: string }>(
    "SELECT language FROM announcement_texts WHERE announcement_id = $1 AND btrim(title) <> '' AND btrim(body) <> ''",
    [id],
  );
  const missing = LANGUAGE_CODES.filter((code) => !written.some(({ language }) => language === code));
  if (missing.length > 0)
    return refuse(
      "FIELD_MISSING",
      { field: missing.join(", ") },
      Object.fromEntries(missing.map((code) => [code, "FIELD_MISSING" as const])),
    );
  await db.query("SELECT publish_announcement($1, $2)", [session.sessionId, id]);
  return readOne(db, id);
}

/** Withdraws an announcement. Refuses NOT_FOUND, and CONFLICT if it isn't published. */
export async function withdrawAnnouncement(
  db: Queryable,
  session: OperatorSession,
  { noticeId, reason }: { readonly noticeId: string; readonly reason: string },
): Promise<Verdict<Announcement>> {
  const id = await knownId(db, noticeId);
  if (id === null) return refuse("NOT_FOUND");
  await db.query("SELECT withdraw_announcement($1, $2, $3)", [session.sessionId, id, reason]);
  return readOne(db, id);
}

/** Sends a message to one member. Refuses NOT_FOUND. */
export async function writeToMember(
  db: Queryable,
  session: OperatorSession,
  message: { readonly memberId: string; readonly title: string; readonly body: string },
): Promise<Verdict<{ noticeId: string }>> {
  const memberId = parseId("member", message.memberId);
  const known = await db.query("SELECT 1 FROM members WHERE member_id = $1", [memberId]);
  if (known.length === 0) return refuse("NOT_FOUND");
  const [sent] = await db.query<{ id: bigint }>("SELECT write_to_member($1, $2, $3, $4) AS id", [
    session.sessionId,
    memberId,
    message.title,
    message.body,
  ]);
  return accept({ noticeId: formatPrefixedId("msg", sent?.id ?? 0n) });
}

async function knownId(db: Queryable, noticeId: string): Promise<bigint | null> {
  const id = parsePrefixedId(PREFIX, noticeId);
  const known = await db.query("SELECT 1 FROM announcements WHERE announcement_id = $1", [id]);
  return known.length === 0 ? null : id;
}

import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { person, reason } from "./operator-fields.ts";

export const TITLE_MAX = 120;
export const BODY_MAX = 8000;

/**
 * Title and body in one language, with the same `## `, `- ` and `**` markup as other written texts. A draft may lack
 * either.
 */
export const noticeText = v.object({
  language: f.language,
  title: v.union([v.literal(""), f.line(TITLE_MAX)]),
  body: v.union([v.literal(""), f.lines(BODY_MAX)]),
});
export type NoticeText = v.InferOutput<typeof noticeText>;

export const announcement = v.object({
  noticeId: s.text,
  state: v.picklist(["draft", "scheduled", "shown", "over", "withdrawn"]),
  /** When it is first and last shown; null means from its publication, or without an end. */
  publishAt: v.nullable(s.time),
  endsAt: v.nullable(s.time),
  savedBy: person,
  savedAt: s.time,
  publishedBy: v.nullable(person),
  publishedAt: v.nullable(s.time),
  withdrawnBy: v.nullable(person),
  withdrawnAt: v.nullable(s.time),
  withdrawReason: v.nullable(s.text),
  texts: v.array(v.object({ language: f.language, title: s.text, body: s.text })),
});
export type Announcement = v.InferOutput<typeof announcement>;

export const announcementList = defineOperatorCall({
  path: "notice/list",
  summary: "Lists announcements with their texts in every language, newest first.",
  input: v.object({ state: v.optional(v.picklist(["drafts", "published", "all"])), ...s.pageInput }),
  output: s.page(announcement),
  limit: "read",
});

export const announcementSave = defineOperatorCall({
  path: "notice/save",
  summary: "Saves a draft, or creates one if no id is given.",
  input: v.object({
    noticeId: v.optional(f.opaqueId),
    publishAt: v.optional(f.instant),
    endsAt: v.optional(f.instant),
    texts: v.pipe(
      v.array(noticeText),
      v.maxLength(f.LANGUAGE_CODES.length),
      v.check((texts) => new Set(texts.map(({ language }) => language)).size === texts.length),
    ),
  }),
  rules: ({ publishAt, endsAt }) =>
    endsAt !== undefined && publishAt !== undefined && endsAt <= publishAt ? { endsAt: "FIELD_INVALID" } : undefined,
  output: announcement,
  limit: "write",
  subject: "noticeId",
});

export const announcementPreview = defineOperatorCall({
  path: "notice/preview",
  summary: "Returns an announcement as readers in one language will see it, published or not.",
  input: v.object({ noticeId: f.opaqueId, language: f.language }),
  output: v.object({ title: s.text, body: s.text, publishedAt: v.nullable(s.time) }),
  limit: "read",
  subject: "noticeId",
});

const onOne = v.object({ noticeId: f.opaqueId, reason });

export const announcementPublish = defineOperatorCall({
  path: "notice/publish",
  summary: "Publishes a draft that is written in all ten languages. It can't be changed afterwards.",
  input: onOne,
  output: announcement,
  limit: "write",
  subject: "noticeId",
});

export const announcementWithdraw = defineOperatorCall({
  path: "notice/withdraw",
  summary: "Withdraws a published announcement.",
  input: onOne,
  output: announcement,
  limit: "write",
  subject: "noticeId",
});

export const noticeMessage = defineOperatorCall({
  path: "notice/message",
  summary: "Sends a message to one member, as they will read it.",
  input: v.object({ memberId: f.opaqueId, title: f.line(TITLE_MAX), body: f.lines(BODY_MAX), reason }),
  output: v.object({ noticeId: s.text }),
  limit: "write",
  subject: "memberId",
});

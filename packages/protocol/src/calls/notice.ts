import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const noticeList = defineCall({
  path: "notice/list",
  access: "public",
  summary: "Lists announcements, or a logged-in member's own messages.",
  input: v.object({ kind: v.picklist(["announcement", "message"]), ...s.pageInput }),
  output: s.page(s.notice),
  idempotent: true,
  limit: "read",
});

export const noticeDetail = defineCall({
  path: "notice/detail",
  access: "public",
  summary: "Returns one announcement, or one of the member's own messages.",
  input: v.object({ noticeId: f.opaqueId }),
  output: v.object({ ...s.notice.entries, body: s.text, about: v.nullable(s.noticeSubject) }),
  idempotent: true,
  limit: "read",
});

export const noticeMarkRead = defineCall({
  path: "notice/markRead",
  access: "member",
  summary: "Marks a notice as read.",
  input: v.object({ noticeId: f.opaqueId }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

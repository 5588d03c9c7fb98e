import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { person } from "./operator-fields.ts";

/** A member's chat in the inbox. */
export const supportEntry = v.object({
  memberId: s.text,
  account: s.text,
  username: v.nullable(s.text),
  language: f.language,
  newestAt: s.time,
  /** The beginning of what was said last; null for a picture. */
  excerpt: v.nullable(s.text),
  from: v.picklist(["member", "operator"]),
  /** What no operator has read. */
  unread: s.count,
  /** Since when the member waits for an answer; null where he has one. */
  waitingSince: v.nullable(s.time),
  closedAt: v.nullable(s.time),
  assignedTo: v.nullable(person),
});
export type SupportEntry = v.InferOutput<typeof supportEntry>;

export const supportInbox = defineOperatorCall({
  path: "support/inbox",
  summary: "Chats with members: who waits longest first. `mine`: assigned to the one who asks.",
  input: v.object({ state: v.optional(v.picklist(["open", "mine", "closed"])), limit: v.optional(f.limit) }),
  output: v.array(supportEntry),
  limit: "read",
});

const ofMember = { memberId: f.opaqueId };

export const supportChat = defineOperatorCall({
  path: "support/chat",
  summary: "One chat, newest message first.",
  input: v.object({ ...ofMember, ...s.pageInput }),
  output: v.object({ entry: supportEntry, messages: s.page(s.supportMessage) }),
  limit: "read",
  subject: "memberId",
});

export const supportAnswer = defineOperatorCall({
  path: "support/send",
  summary: "Answers a member. Who answers first has the chat assigned to him.",
  input: v.object({ ...ofMember, text: f.lines(4000), clientId: f.clientId }),
  output: s.supportMessage,
  limit: "write",
  subject: "memberId",
  // What was said stands in the chat itself, card numbers hidden; here it would stand as typed.
  secrets: ["text"],
});

export const supportSeen = defineOperatorCall({
  path: "support/markRead",
  summary: "Marks what the member wrote as read.",
  input: v.object(ofMember),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportAssign = defineOperatorCall({
  path: "support/assign",
  summary: "Takes a chat, or gives it back.",
  input: v.object({ ...ofMember, mine: v.boolean() }),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportClose = defineOperatorCall({
  path: "support/close",
  summary: "Closes a chat; the member’s next message opens it again.",
  input: v.object(ofMember),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportWriting = defineOperatorCall({
  path: "support/typing",
  summary: "Says to the member that somebody writes.",
  unrecorded: true,
  input: v.object(ofMember),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportCanned = defineOperatorCall({
  path: "support/canned",
  summary: "What is often answered, in every language.",
  input: v.object({}),
  output: v.array(v.object({ name: s.text, texts: v.array(v.object({ language: f.language, text: s.text })) })),
  limit: "read",
});

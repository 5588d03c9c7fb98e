import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { person, reason } from "./operator-fields.ts";

/** A member's chat in the inbox. */
export const supportEntry = v.object({
  memberId: s.text,
  account: s.text,
  username: v.nullable(s.text),
  language: f.language,
  newestAt: s.time,
  /** Beginning of the last message; null for a picture. */
  excerpt: v.nullable(s.text),
  from: v.picklist(["member", "operator"]),
  /** Number of messages that no operator has read. */
  unread: s.count,
  /** When the member began to wait for an answer; null if they have one. */
  waitingSince: v.nullable(s.time),
  closedAt: v.nullable(s.time),
  assignedTo: v.nullable(person),
});
export type SupportEntry = v.InferOutput<typeof supportEntry>;

export const supportInbox = defineOperatorCall({
  path: "support/inbox",
  summary: "Lists chats with members, longest waiting first. `mine`: those assigned to this operator.",
  input: v.object({ state: v.optional(v.picklist(["open", "mine", "closed"])), limit: v.optional(f.limit) }),
  output: v.array(supportEntry),
  limit: "read",
});

const ofMember = { memberId: f.opaqueId };

export const supportChat = defineOperatorCall({
  path: "support/chat",
  summary: "Returns one chat, newest message first.",
  input: v.object({ ...ofMember, ...s.pageInput }),
  output: v.object({ entry: supportEntry, messages: s.page(s.supportMessage) }),
  limit: "read",
  subject: "memberId",
});

export const supportAttach = defineOperatorCall({
  path: "support/attach",
  summary:
    "Uploads a picture for a message to a member who has written; it is re-encoded from its pixels. A PDF or plain text is kept unchanged.",
  input: v.object({ ...ofMember, name: v.optional(f.fileName) }),
  output: v.object({ fileId: s.text }),
  file: "upload",
  limit: "write",
  subject: "memberId",
});

export const supportAnswer = defineOperatorCall({
  path: "support/send",
  summary: "Sends a member a text, a picture or both. The first operator to answer gets the chat assigned.",
  input: v.object({
    ...ofMember,
    text: v.optional(f.lines(4000)),
    fileId: v.optional(f.opaqueId),
    clientId: f.clientId,
  }),
  rules: ({ text, fileId }) => (text === undefined && fileId === undefined ? { text: "FIELD_MISSING" } : undefined),
  output: s.supportMessage,
  limit: "write",
  subject: "memberId",
  // The message is stored in the chat with card numbers masked. The audit trail would keep it as typed.
  secrets: ["text"],
});

export const supportSeen = defineOperatorCall({
  path: "support/markRead",
  summary: "Marks the member's messages as read.",
  input: v.object(ofMember),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportAssign = defineOperatorCall({
  path: "support/assign",
  summary: "Assigns a chat to this operator, or gives it back.",
  input: v.object({ ...ofMember, mine: v.boolean() }),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportClose = defineOperatorCall({
  path: "support/close",
  summary: "Closes a chat. The member’s next message opens it again.",
  input: v.object(ofMember),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const supportWriting = defineOperatorCall({
  path: "support/typing",
  summary: "Shows the member that someone is typing.",
  unrecorded: true,
  input: v.object(ofMember),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const CANNED_TITLE_MAX = 60;
export const CANNED_TEXT_MAX = 4000;

/** A canned answer: built in, or an operator's own. */
export const cannedAnswer = v.object({
  /** A built-in answer's name in the catalogues, or the id of an operator's own. */
  name: s.text,
  /** Null for a built-in answer, which nobody can change. */
  own: v.nullable(v.object({ title: s.text, savedBy: person, savedAt: s.time })),
  /** Texts by language. English is used for languages that are missing. */
  texts: v.array(v.object({ language: f.language, text: s.text })),
});
export type CannedAnswer = v.InferOutput<typeof cannedAnswer>;

export const supportCanned = defineOperatorCall({
  path: "support/canned",
  summary: "Lists canned answers: operators' own by title, then the built-in ones, which are in every language.",
  input: v.object({}),
  output: v.array(cannedAnswer),
  limit: "read",
});

export const supportSaveCanned = defineOperatorCall({
  path: "support/saveCanned",
  summary: "Saves an own canned answer, or creates one if no name is given. English is required.",
  input: v.object({
    name: v.optional(f.opaqueId),
    title: f.line(CANNED_TITLE_MAX),
    texts: v.pipe(
      v.array(v.object({ language: f.language, text: f.lines(CANNED_TEXT_MAX) })),
      v.maxLength(f.LANGUAGE_CODES.length),
      v.check((texts) => new Set(texts.map(({ language }) => language)).size === texts.length),
    ),
  }),
  rules: ({ title, texts }) => {
    const isWritten = texts.some(({ language, text }) => language === "en" && text.trim() !== "");
    if (title.trim() === "") return { title: "FIELD_MISSING" };
    return isWritten ? undefined : { texts: "FIELD_MISSING" };
  },
  output: cannedAnswer,
  limit: "write",
  subject: "name",
});

export const supportDeleteCanned = defineOperatorCall({
  path: "support/deleteCanned",
  summary: "Removes an own canned answer.",
  input: v.object({ name: f.opaqueId, reason }),
  output: s.nothing,
  limit: "write",
  subject: "name",
});

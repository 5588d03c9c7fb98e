import * as v from "valibot";
import type { FieldErrors } from "../call.ts";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

const thread = v.object({
  messages: s.page(s.supportMessage),
  unread: s.count,
  /** The hours in words, with their time zone. */
  officeHours: s.text,
  /** Whether customer service is open now. */
  officeOpen: v.boolean(),
  operatorOnline: v.boolean(),
});

export const supportThread = defineCall({
  path: "support/thread",
  access: "member",
  summary: "Returns the chat with customer service, newest message first.",
  input: v.object(s.pageInput),
  output: thread,
  idempotent: true,
  limit: "read",
});

export const supportSend = defineCall({
  path: "support/send",
  access: "member",
  summary: "Sends a message or a file.",
  input: v.object({
    text: v.optional(f.lines(4000)),
    fileId: v.optional(f.opaqueId),
    topic: v.optional(v.picklist(["cardDeposit", "withdrawal", "order", "other"])),
    amount: v.optional(f.usd),
    clientId: f.clientId,
  }),
  rules: ({ text, fileId }): FieldErrors | undefined =>
    text === undefined && fileId === undefined ? { text: "FIELD_MISSING" } : undefined,
  output: s.supportMessage,
  idempotent: true,
  limit: "write",
});

export const supportMarkRead = defineCall({
  path: "support/markRead",
  access: "member",
  summary: "Marks the chat as read.",
  input: v.object({}),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const supportTyping = defineCall({
  path: "support/typing",
  access: "member",
  summary: "Reports that the member is typing.",
  input: v.object({}),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

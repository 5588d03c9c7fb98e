import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** A push endpoint: https, ASCII. */
const endpoint = v.pipe(v.string(), v.maxLength(1024), v.regex(/^https:\/\/[!-~]{4,}$/));
const base64url = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[A-Za-z0-9_=-]+$/));

export const pushKey = defineCall({
  path: "push/key",
  access: "public",
  summary: "Returns the key by which a browser's push service recognizes this deployment (RFC 8292), in base64url.",
  input: v.object({}),
  output: v.object({ key: s.text }),
  idempotent: true,
  limit: "read",
});

export const pushSubscribe = defineCall({
  path: "push/subscribe",
  access: "member",
  summary: "Also sends messages to this browser: the browser's subscription, field by field.",
  input: v.object({ endpoint, p256dh: base64url(128), auth: base64url(64), expirationTime: v.optional(f.instant) }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const pushUnsubscribe = defineCall({
  path: "push/unsubscribe",
  access: "member",
  summary: "Stops sending messages to this browser.",
  input: v.object({ endpoint }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

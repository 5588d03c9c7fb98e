import * as v from "valibot";
import type { FieldErrors } from "../call.ts";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** Returns whether the address is of the channel's kind. */
function addressFitsChannel(channel: f.Channel, to: string): boolean {
  return (channel === "phone" ? f.PHONE : f.EMAIL).test(to);
}

export const authSendCode = defineCall({
  path: "auth/sendCode",
  access: "public",
  summary: "Sends a six-digit code by SMS or mail. The answer is the same for known and unknown addresses.",
  input: v.object({
    channel: f.channel,
    to: f.account,
    region: v.optional(f.region),
    purpose: v.picklist(["register", "reset", "tradePassword"]),
  }),
  rules: ({ channel, to }) => (addressFitsChannel(channel, to) ? undefined : { to: "FIELD_INVALID" }),
  output: v.object({ expiresAt: s.time, retryAt: s.time }),
  idempotent: false,
  limit: "code",
});

export const authRegister = defineCall({
  path: "auth/register",
  access: "public",
  summary: "Creates a member from an address that a code has confirmed, and logs them in.",
  input: v.object({
    region: f.region,
    channel: f.channel,
    phone: v.optional(f.phone),
    email: v.optional(f.email),
    code: f.code,
    password: f.password,
    confirmPassword: f.password,
    inviteCode: v.optional(f.inviteCode),
    acceptTerms: f.flag,
  }),
  rules: (input): FieldErrors | undefined =>
    input[input.channel] === undefined ? { [input.channel]: "FIELD_MISSING" } : undefined,
  output: s.signedIn,
  idempotent: false,
  limit: "signIn",
});

export const authLogin = defineCall({
  path: "auth/login",
  access: "public",
  summary: "Logs in with phone number or e-mail address and password.",
  input: v.object({
    account: f.account,
    password: f.password,
    /** Required if the member has a second factor and the device is unknown. */
    secondFactor: v.optional(f.secondFactor),
  }),
  output: s.signedIn,
  idempotent: false,
  limit: "signIn",
});

export const authLogout = defineCall({
  path: "auth/logout",
  access: "member",
  summary: "Ends this session and its sockets.",
  input: v.object({}),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const authSessions = defineCall({
  path: "auth/sessions",
  access: "member",
  summary: "Lists the member's sessions on all devices.",
  input: v.object({}),
  output: v.array(
    v.object({
      sessionId: s.text,
      device: s.text,
      place: s.text,
      createdAt: s.time,
      seenAt: s.time,
      current: v.boolean(),
    }),
  ),
  idempotent: true,
  limit: "read",
});

export const authRevokeSession = defineCall({
  path: "auth/revokeSession",
  access: "member",
  summary: "Ends one session of the member at once.",
  input: v.object({ sessionId: f.opaqueId }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const authEndAllSessions = defineCall({
  path: "auth/endAllSessions",
  access: "member",
  summary: "Ends every session of the member at once, including this one, with their sockets.",
  input: v.object({}),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const authResetPassword = defineCall({
  path: "auth/resetPassword",
  access: "public",
  summary: "Sets a forgotten login password by a code. All sessions end.",
  input: v.object({
    channel: f.channel,
    to: f.account,
    code: f.code,
    password: f.password,
    confirmPassword: f.password,
    secondFactor: v.optional(f.secondFactor),
  }),
  rules: ({ channel, to }) => (addressFitsChannel(channel, to) ? undefined : { to: "FIELD_INVALID" }),
  output: s.nothing,
  idempotent: false,
  limit: "signIn",
});

/** An operator's own account: their second factors and their sessions. */
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { passkeyMade, passkeyWish } from "../webauthn.ts";

export const ownPasskey = v.object({
  passkeyId: s.text,
  name: s.text,
  /** Whether the passkey's provider keeps copies of it on other devices. */
  synced: v.boolean(),
  madeAt: s.time,
  usedAt: v.nullable(s.time),
});
export type OwnPasskey = v.InferOutput<typeof ownPasskey>;

export const ownSession = v.object({
  sessionId: s.text,
  ip: s.text,
  device: s.text,
  createdAt: s.time,
  seenAt: s.time,
  current: v.boolean(),
});
export type OwnSession = v.InferOutput<typeof ownSession>;

export const operatorAccount = v.object({
  passkeys: v.array(ownPasskey),
  /** Whether an authenticator app is set up. */
  totp: v.boolean(),
  recoveryCodesLeft: s.count,
  /** The only origin at which this console's passkeys work; null if passkeys aren't offered. */
  passkeyOrigin: v.nullable(s.text),
  sessions: v.array(ownSession),
});
export type OperatorAccount = v.InferOutput<typeof operatorAccount>;

export const sessionAccount = defineOperatorCall({
  path: "session/account",
  summary: "Lists the operator's own second factors and sessions.",
  input: v.object({}),
  output: operatorAccount,
  limit: "read",
});

export const sessionStartPasskey = defineOperatorCall({
  path: "session/startPasskey",
  summary: "Returns the options with which a browser asks an authenticator for a new passkey, valid for two minutes.",
  input: v.object({ password: f.password }),
  output: passkeyWish,
  limit: "signIn",
  secrets: ["password"],
});

export const sessionRegisterPasskey = defineOperatorCall({
  path: "session/registerPasskey",
  summary: "Registers the passkey that an authenticator made.",
  input: v.object({ name: f.line(40), passkey: passkeyMade }),
  output: ownPasskey,
  limit: "signIn",
  secrets: ["passkey"],
});

export const sessionRemovePasskey = defineOperatorCall({
  path: "session/removePasskey",
  summary: "Removes a passkey. The last second factor stays.",
  input: v.object({ passkeyId: f.opaqueId, password: f.password }),
  output: s.nothing,
  limit: "signIn",
  secrets: ["password"],
  subject: "passkeyId",
});

export const sessionStartTotp = defineOperatorCall({
  path: "session/startTotp",
  summary:
    "Makes a secret for another authenticator app. The current one works until a code of the new one was entered.",
  input: v.object({ password: f.password }),
  output: v.object({ secret: s.text, uri: s.text }),
  limit: "signIn",
  secrets: ["password"],
});

export const sessionRegisterTotp = defineOperatorCall({
  path: "session/registerTotp",
  summary: "Registers the new authenticator app with its first code.",
  input: v.object({ code: f.code }),
  output: s.nothing,
  limit: "signIn",
  secrets: ["code"],
});

export const sessionRemoveTotp = defineOperatorCall({
  path: "session/removeTotp",
  summary: "Removes the authenticator app. The last second factor stays.",
  input: v.object({ password: f.password }),
  output: s.nothing,
  limit: "signIn",
  secrets: ["password"],
});

export const sessionEndOther = defineOperatorCall({
  path: "session/endOther",
  summary: "Ends another session of the same operator; without an id, all others.",
  input: v.object({ sessionId: v.optional(f.opaqueId) }),
  output: s.nothing,
  limit: "write",
  subject: "sessionId",
});

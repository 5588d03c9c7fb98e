import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { login, person, role } from "./operator-fields.ts";
import { passkeyAnswer, passkeyQuestion } from "../webauthn.ts";

export const operatorSelf = v.object({
  operator: person,
  roles: v.array(role),
  expiresAt: s.time,
  deployment: v.picklist(["sandbox", "live"]),
});
export type OperatorSelf = v.InferOutput<typeof operatorSelf>;
const totpCode = f.code;

export const sessionLogin = defineOperatorCall({
  path: "session/login",
  summary: "Checks the password. The new session can do nothing except give the second factor.",
  input: v.object({ login, password: f.password }),
  output: v.object({
    next: v.literal("secondFactor"),
    /** The kinds of second factor that this operator has. */
    means: v.array(v.picklist(["totp", "passkey"])),
    /** The only origin at which their passkeys work; null if passkeys aren't offered. */
    passkeyOrigin: v.nullable(s.text),
  }),
  limit: "signIn",
  secrets: ["password"],
  subject: "login",
});

export const sessionAskPasskey = defineOperatorCall({
  path: "session/askPasskey",
  summary: "Returns what one of the operator's passkeys has to sign. Valid once, for two minutes.",
  input: v.object({}),
  output: passkeyQuestion,
  limit: "signIn",
});

export const sessionVerifySecondFactor = defineOperatorCall({
  path: "session/verifySecondFactor",
  summary: "Checks the second factor: six digits of the authenticator app, a recovery code, or a passkey's signature.",
  input: v.object({
    code: v.optional(v.union([totpCode, v.pipe(v.string(), v.regex(/^[a-z0-9]{5}-[a-z0-9]{5}$/))])),
    passkey: v.optional(passkeyAnswer),
  }),
  output: operatorSelf,
  limit: "signIn",
  secrets: ["code", "passkey"],
  rules: ({ code, passkey }) => {
    if (code === undefined && passkey === undefined) return { code: "FIELD_MISSING" };
    return code !== undefined && passkey !== undefined ? { passkey: "FIELD_INVALID" } : undefined;
  },
});

export const sessionMe = defineOperatorCall({
  path: "session/me",
  summary: "Returns the logged-in operator and their roles.",
  input: v.object({}),
  output: operatorSelf,
  limit: "read",
});

export const sessionLogout = defineOperatorCall({
  path: "session/logout",
  summary: "Ends this session.",
  input: v.object({}),
  output: s.nothing,
  limit: "write",
});

export const sessionInvitation = defineOperatorCall({
  path: "session/invitation",
  summary:
    "Returns what an invitation is for, with a new secret for the authenticator app. Earlier secrets stop working.",
  input: v.object({ token: f.opaqueId }),
  output: v.object({
    login: s.text,
    name: s.text,
    secret: s.text,
    uri: s.text,
    /** When the link was opened before, newest first. */
    openedBefore: v.array(s.time),
  }),
  limit: "signIn",
  secrets: ["token"],
});

export const sessionDeclineInvitation = defineOperatorCall({
  path: "session/declineInvitation",
  summary: "Ends an invitation, so that nobody can accept it.",
  input: v.object({ token: f.opaqueId }),
  output: s.nothing,
  limit: "signIn",
  secrets: ["token"],
});

export const sessionEnrol = defineOperatorCall({
  path: "session/enrol",
  summary: "Accepts an invitation: sets the password and checks a code of the authenticator app.",
  input: v.object({ token: f.opaqueId, password: f.password, code: totpCode }),
  output: v.object({ login: s.text, recoveryCodes: v.array(s.text) }),
  limit: "signIn",
  secrets: ["token", "password", "code"],
});

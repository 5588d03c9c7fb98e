import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { passkeyQuestion, passkeyWish } from "../webauthn.ts";

/** Required to change one's second factors: the login password, and a factor if the member has one. */
const asked = { loginPassword: f.password, secondFactor: v.optional(f.secondFactor) };

/** New recovery codes, shown only once; empty if the earlier ones are still valid. */
const recoveryCodes = v.array(s.text);

export const secondFactorStatus = defineCall({
  path: "secondFactor/status",
  access: "member",
  summary: "Lists the member's second factors.",
  input: v.object({}),
  output: v.object({
    /** The authenticator app; null if none is set up. */
    totp: v.nullable(v.object({ madeAt: s.time, usedAt: v.nullable(s.time) })),
    passkeys: v.array(
      v.object({
        passkeyId: s.text,
        name: s.text,
        /** Whether the passkey's provider keeps copies of it on other devices. */
        synced: v.boolean(),
        madeAt: s.time,
        usedAt: v.nullable(s.time),
      }),
    ),
    recoveryCodesLeft: s.count,
    /** The origin at which this app's passkeys work; null if passkeys aren't offered. */
    passkeyOrigin: v.nullable(s.text),
  }),
  idempotent: true,
  limit: "read",
});

export const secondFactorStartTotp = defineCall({
  path: "secondFactor/startTotp",
  access: "member",
  summary:
    "Makes a secret for an authenticator app, valid for ten minutes. The previous app works until the new one is registered.",
  input: v.object(asked),
  output: v.object({ secret: s.text, uri: s.text }),
  idempotent: false,
  limit: "signIn",
});

export const secondFactorRegisterTotp = defineCall({
  path: "secondFactor/registerTotp",
  access: "member",
  summary: "Registers the authenticator app with its first code.",
  input: v.object({ code: f.code }),
  output: v.object({ recoveryCodes }),
  idempotent: false,
  limit: "signIn",
});

export const secondFactorStartPasskey = defineCall({
  path: "secondFactor/startPasskey",
  access: "member",
  summary: "Returns WebAuthn's options for a new passkey, valid for five minutes.",
  input: v.object(asked),
  output: passkeyWish,
  idempotent: false,
  limit: "signIn",
});

export const secondFactorRegisterPasskey = defineCall({
  path: "secondFactor/registerPasskey",
  access: "member",
  summary: "Registers a passkey that the authenticator made, as WebAuthn's JSON.",
  input: v.object({ name: f.line(40), passkey: f.webauthnJson }),
  output: v.object({ recoveryCodes }),
  idempotent: false,
  limit: "signIn",
});

export const secondFactorRemove = defineCall({
  path: "secondFactor/remove",
  access: "member",
  summary:
    "Removes the authenticator app (`totp`) or a passkey by its id. After the last one is removed, withdrawals rest.",
  input: v.object({ factor: f.opaqueId, ...asked }),
  /** When the withdrawal rest ends; null if another factor is left, so that there is no rest. */
  output: v.object({ restsUntil: v.nullable(s.time) }),
  idempotent: false,
  limit: "signIn",
});

export const secondFactorNewRecoveryCodes = defineCall({
  path: "secondFactor/newRecoveryCodes",
  access: "member",
  summary: "Makes new recovery codes. The previous ones no longer work.",
  input: v.object(asked),
  output: v.object({ recoveryCodes }),
  idempotent: false,
  limit: "signIn",
});

export const secondFactorAsk = defineCall({
  path: "secondFactor/ask",
  access: "member",
  summary: "Returns WebAuthn's options for using one of the member's passkeys, valid for five minutes and one purpose.",
  input: v.object({ purpose: v.picklist(["settings", "tradePassword", "export", "withdrawal"]) }),
  output: passkeyQuestion,
  idempotent: false,
  limit: "write",
});

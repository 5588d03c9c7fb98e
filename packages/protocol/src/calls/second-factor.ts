import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { passkeyQuestion, passkeyWish } from "../webauthn.ts";

/** What a change of one's second factors asks for: the login password, and a factor where there is one. */
const asked = { loginPassword: f.password, secondFactor: v.optional(f.secondFactor) };

/** New recovery codes, shown this once; empty where the ones before still count. */
const recoveryCodes = v.array(s.text);

export const secondFactorStatus = defineCall({
  path: "secondFactor/status",
  access: "member",
  summary: "Lists the member's second factors.",
  input: v.object({}),
  output: v.object({
    /** The authenticator app; null: none. */
    totp: v.nullable(v.object({ madeAt: s.time, usedAt: v.nullable(s.time) })),
    passkeys: v.array(
      v.object({
        passkeyId: s.text,
        name: s.text,
        /** Its maker keeps copies of it on other devices. */
        synced: v.boolean(),
        madeAt: s.time,
        usedAt: v.nullable(s.time),
      }),
    ),
    recoveryCodesLeft: s.count,
    /** Where browsers give this app passkeys; null: nowhere. */
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
  /** Until when withdrawals rest; null: another factor is left. */
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

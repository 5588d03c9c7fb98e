import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const authFreeze = defineCall({
  path: "auth/freeze",
  access: "public",
  summary:
    "Uses the link of a warning: freezes its member's withdrawals and ends all sessions. The answer is the same for invalid links.",
  input: v.object({ token: f.opaqueId }),
  output: s.nothing,
  idempotent: true,
  limit: "signIn",
});

export const userFreezeWithdrawals = defineCall({
  path: "user/freezeWithdrawals",
  access: "member",
  summary: "Freezes the member's own withdrawals. Running orders settle and deposits arrive.",
  input: v.object({}),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const userLiftFreeze = defineCall({
  path: "user/liftFreeze",
  access: "member",
  summary:
    "Lifts the member's own freeze with the login password and the second factor. Withdrawals then rest for a while.",
  input: v.object({ loginPassword: f.password, secondFactor: v.optional(f.secondFactor) }),
  output: s.nothing,
  idempotent: false,
  limit: "signIn",
});
